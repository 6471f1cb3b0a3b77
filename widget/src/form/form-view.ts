import type { DeflectionDone } from '@citewell/sdk'
import type * as markdownModule from '../markdown/markdown.ts'
import { linkOf } from '../markdown/safe-link.ts'
import { formWords, type FormWords } from './form-words.ts'
import { makeElement as h } from './make-element.ts'

export type Renderer = typeof markdownModule
type Citation = DeflectionDone['citations'][number]

const nameOf = ({ title, headingPath }: Citation) => [title, ...headingPath].join(' › ').slice(0, 300)

/** Titles that are shown while an answer is looked for. */
const MOST_TITLES = 3

export interface FormViewDeps {
  root: ShadowRoot
  language: string
  /** Fetches the renderer of Markdown. */
  loadRenderer: () => Promise<Renderer>
}

/** What the reader sees of a form: nothing, "looking", an answer that may be shown, or that the request was not sent. */
export function createFormView({ root, language, loadRenderer }: FormViewDeps) {
  // Made once: a region that appears together with its text is not read out.
  const status = h('p', { class: 'unseen', role: 'status' })
  const place = h('div', { lang: language, dir: /^(?:ar|he)$/.test(language) ? 'rtl' : 'ltr' })
  root.replaceChildren(status, place, h('slot', { name: 'check' }))
  let words = formWords()
  let renderer: Promise<Renderer | undefined> | undefined

  const show = (said: string, ...children: Node[]) => {
    status.textContent = said
    place.replaceChildren(...children)
  }

  /** A citation opens in a new tab: the page with the form stays. */
  function linkTo(citation: Citation, properties: Record<string, unknown>, shown: string) {
    const href = linkOf(citation.url)
    // Its name begins with what is seen, for people who speak it.
    const name = nameOf(citation)
    const label = `${shown === name ? name : `${shown}: ${name}`} (${words.newTab})`
    return href === undefined
      ? h('span', properties, shown)
      : h('a', { ...properties, href, target: '_blank', rel: 'noopener', 'aria-label': label }, shown)
  }

  /** The answer, rendered; as plain text where the renderer cannot be fetched. */
  async function contentOf({ text, citations }: DeflectionDone): Promise<(Node | string)[]> {
    const markdown = await renderer
    if (markdown === undefined) return [h('p', { class: 'plain' }, text)]
    const blocks = markdown.parseBlocks(text)
    const levels = markdown.headingLevels(blocks, 3)
    return blocks.flatMap((block, at) =>
      markdown.createRenderer<Node>({
        h,
        citation: (index) => {
          const cited = citations.find((one) => one.index === index)
          return cited && linkTo(cited, { class: 'chip', title: cited.title }, String(index))
        },
        code: (code) => h('pre', { dir: 'ltr', tabIndex: 0 }, h('code', null, code)),
        link: (href) => ({ href, target: '_blank', rel: 'noopener nofollow' }),
        isImageShown: () => false,
        headingLevel: levels[at] ?? 3,
      })(block),
    )
  }

  return {
    /** In English until then. */
    speak: (said: FormWords) => {
      words = said
    },
    hide: () => show(''),
    looking: (onSendNow: () => void) => {
      renderer ??= loadRenderer().catch(() => {
        renderer = undefined
        return undefined
      })
      const pages = h('ul', { class: 'pages', 'aria-hidden': 'true' })
      const line = h('div', { class: 'looking' }, h('p', null, `${words.looking} …`))
      line.append(h('button', { type: 'button', class: 'quiet', click: onSendNow }, words.sendNow))
      show(words.looking, h('div', { class: 'card' }, line, pages))
      return {
        pages: (titles: string[]) => {
          const shown = [...new Set(titles)].slice(0, MOST_TITLES)
          pages.replaceChildren(...shown.map((title) => h('li', { dir: 'auto' }, title.slice(0, 200))))
        },
      }
    },
    answer: async (
      done: DeflectionDone,
      isStep: boolean,
      on: { isWanted: () => boolean; solved: () => void; send: () => void },
    ): Promise<void> => {
      const content = await contentOf(done)
      // It took too long: the form was sent meanwhile.
      if (!on.isWanted()) return
      const heading = h('h2', { tabIndex: -1, id: 'heading' }, words.heading)
      const sources = done.citations.map((citation) =>
        h('li', { value: citation.index }, linkTo(citation, { dir: 'auto' }, nameOf(citation))),
      )
      const listed =
        sources.length === 0 ? [] : [h('h3', null, words.sources), h('ol', { class: 'sources' }, ...sources)]
      const card = h(
        'section',
        { class: 'card', 'aria-labelledby': 'heading' },
        heading,
        h(
          'div',
          {
            class: 'answer',
            dir: 'auto',
            lang: '',
            tabIndex: 0,
            role: 'group',
            'aria-labelledby': 'heading',
          },
          ...content,
        ),
        ...listed,
        h(
          'div',
          { class: 'buttons' },
          h('button', { type: 'button', click: on.solved }, words.solved),
          h('button', { type: 'button', click: on.send }, isStep ? words.continue : words.send),
        ),
      )
      show('', card)
      card.scrollIntoView({ block: 'nearest' })
      heading.focus({ preventScroll: true })
    },
    thanks: (onSendAnyway: () => void) => {
      const button = h('button', { type: 'button', class: 'quiet', click: onSendAnyway }, words.sendAnyway)
      const text = h('p', { tabIndex: -1 }, words.thanks)
      show(words.thanks, h('div', { class: 'card' }, h('div', { class: 'looking' }, text, button)))
      text.focus({ preventScroll: true })
    },
  }
}
