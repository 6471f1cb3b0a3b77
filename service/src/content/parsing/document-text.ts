import type { Block } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'

/** Number of visible characters of a document's text. */
export function textLengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + blockLength(block), 0)
}

function blockLength(block: Block): number {
  switch (block.kind) {
    case 'heading':
      return block.text.length
    case 'paragraph':
      return plainText(block.markdown).length
    case 'list':
      return block.items.reduce((sum, item) => sum + plainText(item).length, 0)
    case 'table':
      return [block.header, ...block.rows].flat().reduce((sum, cell) => sum + plainText(cell).length, 0)
    case 'code':
      return block.code.length
    case 'entry':
      return block.term.length + textLengthOf(block.blocks)
    case 'anchor':
      return 0
  }
}

/** Blocks without the heading that only repeats the document's title. */
export function withoutTitle(blocks: readonly Block[], title: string): Block[] {
  return replaceTitle(blocks, title, () => [])
}

/** The same, for a page whose anchors are known: the heading's anchor is kept, for the text below it. */
export function withoutTitleText(blocks: readonly Block[], title: string): Block[] {
  return replaceTitle(blocks, title, ({ anchor }) =>
    anchor === undefined ? [] : [{ kind: 'anchor', anchor }],
  )
}

type Heading = Extract<Block, { kind: 'heading' }>

function replaceTitle(
  blocks: readonly Block[],
  title: string,
  replace: (heading: Heading) => Block[],
): Block[] {
  const first = blocks.findIndex((block) => block.kind !== 'anchor')
  const heading = blocks[first]
  return heading?.kind === 'heading' && sameWords(plainText(heading.text), title)
    ? blocks.flatMap((block, place) => (place === first ? replace(heading) : block))
    : [...blocks]
}

function sameWords(one: string, other: string): boolean {
  const letters = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .replace(/^\s*chapter\s/, '')
      .trim()
  return letters(one) === letters(other)
}
