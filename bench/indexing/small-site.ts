import { createRandom } from '../store/random.ts'
import { writePage } from '../store/write-page.ts'

/** Sections of a small page: about 400 words in total, which make three passages. */
const SECTIONS = 3
const LINKS_OF_A_PAGE = 20
const LINKS_OF_THE_MENU = 30

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Path of the n-th page. Page 0 is the start page. */
const pathOf = (number: number) => (number === 0 ? '/' : `/guide/${number}.html`)

const link = (number: number) =>
  `<a href="${pathOf(number)}">${number === 0 ? 'Start' : escaped(writePage(number).title)}</a>`

function sectionHtml(markdown: string, place: number): string {
  const [heading = '', text = ''] = markdown.split('\n\n')
  const html = escaped(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
  return `<section><h2 id="section-${place}">${escaped(heading.replace('## ', ''))}<a class="headerlink" href="#section-${place}">¶</a></h2>
<p>${html}</p></section>`
}

/** Each page links to a few others and its neighbours, so that all pages are reachable: the crawler must discover the site. */
const linkedFrom = (number: number, pages: number) =>
  Array.from({ length: LINKS_OF_A_PAGE }, (_, place) => number * LINKS_OF_A_PAGE + place + 1).filter(
    (linked) => linked < pages,
  )

/** The same few links on each page, as in the menu of a documentation site. */
function menuHtml(pages: number): string {
  const step = Math.max(1, Math.floor(pages / LINKS_OF_THE_MENU))
  const entries = Array.from({ length: LINKS_OF_THE_MENU }, (_, place) => Math.min(place * step, pages - 1))
  return `<nav><ul>${entries.map((entry) => `<li>${link(entry)}</li>`).join('')}</ul></nav>`
}

function codeHtml(number: number): string {
  const random = createRandom(number + 1)
  const lines = Array.from({ length: 4 }, (_, line) => `citewell set option-${line} ${random.below(10_000)}`)
  return `<pre><code class="language-sh">${lines.join('\n')}</code></pre>`
}

/** A deterministic site of small documentation pages: title, menu, three sections, a listing, links. */
export function writeSite(pages: number): Map<string, string> {
  const menu = menuHtml(pages)
  return new Map(
    Array.from({ length: pages }, (_, number) => {
      const { title, markdown } = writePage(number)
      const sections = markdown
        .split('\n\n## ', SECTIONS)
        .map((section, place) => sectionHtml(section, place))
      const further = linkedFrom(number, pages).map((linked) => `<li>${link(linked)}</li>`)
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)} – Guide</title>
<link rel="stylesheet" href="/site.css"><script>const theme = localStorage.theme</script></head>
<body><header><a href="/">Guide</a></header>${menu}
<main><h1 id="top">${escaped(title)}</h1>${sections.join('\n')}${codeHtml(number)}
<h2 id="see-also">See also</h2><ul>${further.join('')}</ul></main>
<footer>Made for a benchmark.</footer></body></html>`
      return [pathOf(number), html] as const
    }),
  )
}
