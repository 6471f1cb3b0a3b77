import { Component, h, type ComponentChildren, type VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Block } from '../markdown/blocks.ts'
import type { MakeElement } from '../markdown/render-blocks.ts'
import { CitationChip } from './citation-card.tsx'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './store.ts'
import { useSurroundings, type Markdown } from './surroundings.ts'
import { citedAs, type Turn } from './turn.ts'

const element = h as unknown as MakeElement<VNode>

/** Code is coloured when it has not grown for this long, in milliseconds. */
const COLOUR_MS = 150

/** A block of code, with its language and a button that copies it. */
function Code({ text, lang, turn }: { text: string; lang: string; turn: Turn }) {
  const { shared, emit, paintCode, conversation } = useSurroundings()
  const { say } = useStore(shared)
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    let isOver = false
    let clear = () => {}
    const paint = async () => {
      const node = element.current?.firstChild
      if (!lang || !(node instanceof Text)) return
      const unpaint = await paintCode(node, lang)
      if (isOver) unpaint()
      else clear = unpaint
    }
    const timer = setTimeout(() => void paint().catch(() => {}), COLOUR_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      clear()
    }
  }, [text, lang])
  return (
    <div class="code" dir="ltr">
      <div class="code-head">
        <span>{lang}</span>
        <CopyButton
          text={() => text}
          label={say('copyCode')}
          onCopied={() => emit('code_copy', { message_id: conversation.messageOf(turn.id) })}
        />
      </div>
      <pre tabIndex={0}>
        <code ref={element}>{text}</code>
      </pre>
    </div>
  )
}

const hostOf = (address: string) => URL.parse(address)?.host

function BlockView({ markdown, block, level, turn }: BlockProperties) {
  const { shared } = useSurroundings()
  const { openLinks } = useStore(shared).options
  const hosts = turn.status === 'done' ? turn.citations.map(({ url }) => hostOf(url)) : []
  const render = markdown.createRenderer<VNode>({
    h: element,
    citation: (index) => {
      const citations = citedAs(turn, index)
      return citations.length > 0 ? (
        <CitationChip index={index} citations={citations} turn={turn.id} />
      ) : undefined
    },
    code: (text, lang) => <Code text={text} lang={lang} turn={turn} />,
    link: (href) => ({
      href,
      rel: 'noopener nofollow',
      ...(openLinks === 'new' && !href.startsWith('#') && { target: '_blank' }),
    }),
    isImageShown: (address) => hosts.includes(hostOf(address)),
    headingLevel: level,
  })
  return <>{render(block) as ComponentChildren}</>
}

interface BlockProperties {
  markdown: Markdown
  block: Block
  level: number
  turn: Turn
}

/** What the numbers of a text refer to. */
const citedIn = (turn: Turn, text: string) =>
  text
    .match(/\[\d{1,3}\]/g)
    ?.map((mark) => JSON.stringify(citedAs(turn, Number.parseInt(mark.slice(1), 10))))
    .join()

/** A block that is drawn again only if it, its images, or what its numbers refer to, has changed. */
class SteadyBlock extends Component<BlockProperties> {
  override shouldComponentUpdate({ block, level, turn }: BlockProperties): boolean {
    const now = this.props
    return (
      block !== now.block ||
      level !== now.level ||
      ((turn.citations !== now.turn.citations || turn.found !== now.turn.found) &&
        (block.raw.includes('![') || citedIn(turn, block.raw) !== citedIn(now.turn, block.raw)))
    )
  }
  override render() {
    return <BlockView {...this.props} />
  }
}

function MarkdownText({ markdown, turn }: { markdown: Markdown; turn: Turn }) {
  const stream = useRef<ReturnType<Markdown['createStreamedBlocks']>>(undefined)
  stream.current ??= markdown.createStreamedBlocks()
  // Also where it was stopped or cut: half a link, or the head of a table, is left out.
  const isWriting = turn.status !== 'done'
  const blocks = useMemo(
    () => (isWriting ? stream.current?.read(turn.text) : stream.current?.finish(turn.text)) ?? [],
    [turn.text, isWriting],
  )
  const levels = markdown.headingLevels(blocks, 4)
  return (
    <>
      {blocks.map((block, at) => (
        <SteadyBlock key={at} markdown={markdown} block={block} level={levels[at] ?? 4} turn={turn} />
      ))}
    </>
  )
}

/** The text of an answer while it is written, and when it is complete. As it came, if the renderer could not be fetched. */
export function AnswerText({ turn }: { turn: Turn }) {
  const { markdown } = useStore(useSurroundings().shared)
  if (markdown === undefined) return null
  return (
    <div part="answer" class="answer" dir="auto">
      {markdown === 'failed' ? (
        <p class="plain">{turn.text}</p>
      ) : (
        <MarkdownText markdown={markdown} turn={turn} />
      )}
    </div>
  )
}
