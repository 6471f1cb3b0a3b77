import type { Block } from './parsing-blocks.ts'

type Paragraph = Extract<Block, { kind: 'paragraph' }>

/** Deeper than any heading of a page that also has real ones above it. */
const DEPTH = 6
/** Maximum length of a bold paragraph that is read as a title, in UTF-16 units. */
const MAX_LENGTH = 250

/** The text of a paragraph that is bold as a whole. */
function boldText({ markdown }: Paragraph): string | undefined {
  if (markdown.length > MAX_LENGTH || !markdown.startsWith('**') || !markdown.endsWith('**')) return undefined
  const text = markdown.slice(2, -2)
  return text.includes('**') || text.includes('\n') ? undefined : text.trim() || undefined
}

/**
 * Finds paragraphs that are titles in all but markup: a bold question, or a bold line that links of the page lead to. Pages of
 * frequently asked questions are written so.
 */
export function createBoldTitles() {
  const anchors = new WeakMap<Block, string>()
  return {
    /** Notes the anchor that is directly above a paragraph. */
    noteAnchor(paragraph: Paragraph, anchor: string | undefined): void {
      if (anchor !== undefined) anchors.set(paragraph, anchor)
    },
    /** The blocks, with a heading for each such paragraph that has text below it. */
    readTitles: (blocks: readonly Block[]): Block[] =>
      blocks.map((block, place) => {
        const next = blocks[place + 1]
        if (block.kind !== 'paragraph' || next === undefined || next.kind === 'heading') return block
        const text = boldText(block)
        const anchor = anchors.get(block)
        return text !== undefined && (text.endsWith('?') || anchor !== undefined)
          ? { kind: 'heading', depth: DEPTH, text, anchor }
          : block
      }),
  }
}
