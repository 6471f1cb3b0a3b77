import { Component, h, type ComponentChildren, type VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Block } from '../markdown/blocks.ts'
import { createRenderer, headingLevels, type MakeElement } from '../markdown/render-blocks.ts'
import { createStreamedBlocks } from '../markdown/streamed-blocks.ts'
import { CitationChip } from './citation-card.tsx'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { citedAs, isOpen, type Turn } from './turn.ts'

const element = h as unknown as MakeElement<VNode>

/** A block of code, with its language and a button that copies it. */
function Code({ text, lang }: { text: string; lang: string }) {
  const { shared, emit } = useSurroundings()
  const { say } = useStore(shared)
  return (
    <div class="code" dir="ltr">
      <div class="code-head">
        <span>{lang}</span>
        <CopyButton
          text={() => text}
          label={say('copyCode')}
          onCopied={() => emit('code_copy', { message_id: undefined })}
        />
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

const hostOf = (address: string) => URL.parse(address)?.host

function BlockView({ block, level, turn }: BlockProperties) {
  const { shared } = useSurroundings()
  const { openLinks } = useStore(shared).options
  const hosts = turn.status === 'done' ? turn.citations.map(({ url }) => hostOf(url)) : []
  const render = createRenderer<VNode>({
    h: element,
    citation: (index) => {
      const citations = citedAs(turn, index)
      return citations.length > 0 ? <CitationChip index={index} citations={citations} /> : undefined
    },
    code: (text, lang) => <Code text={text} lang={lang} />,
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
  block: Block
  level: number
  turn: Turn
}

/** A block that is drawn again only if it, or what its numbers refer to, has changed. */
class SteadyBlock extends Component<BlockProperties> {
  override shouldComponentUpdate(next: BlockProperties): boolean {
    const { block, level, turn } = this.props
    return (
      block !== next.block ||
      level !== next.level ||
      turn.citations !== next.turn.citations ||
      turn.found !== next.turn.found
    )
  }
  override render() {
    return <BlockView {...this.props} />
  }
}

/** The text of an answer while it is written, and when it is complete. */
export function AnswerText({ turn }: { turn: Turn }) {
  const stream = useRef<ReturnType<typeof createStreamedBlocks>>(undefined)
  stream.current ??= createStreamedBlocks()
  const isWriting = isOpen(turn)
  const blocks = useMemo(
    () => (isWriting ? stream.current?.read(turn.text) : stream.current?.finish(turn.text)) ?? [],
    [turn.text, isWriting],
  )
  const levels = headingLevels(blocks, 4)
  return (
    <div part="answer" class="answer" dir="auto">
      {blocks.map((block, at) => (
        <SteadyBlock key={at} block={block} level={levels[at] ?? 4} turn={turn} />
      ))}
    </div>
  )
}
