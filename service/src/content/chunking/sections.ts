import type { Block, ParsedDocument } from '../parsing/parsing.ts'
import { plainText } from '../parsing/parsing.ts'

/** Blocks that stand under one heading, or in one entry, together. */
export interface Section {
  /** Plain titles of the headings above, outermost first. */
  path: string[]
  /** The last of `path` as Markdown; nothing where a section goes on after an entry, or begins the document. */
  heading: { markdown: string; isEntry: boolean } | undefined
  /** Of the heading or entry that it belongs to, or of one around that. */
  anchor: string | undefined
  /** The last anchor above it, of whatever heading, entry or page: what brings a reader nearest to its text. */
  opensAt: string | undefined
  /** Neither headings nor entries. */
  blocks: Block[]
}

/** A term in a heading path is cut at this length: signatures run to hundreds of characters. */
const LONGEST_TERM = 80

interface Level {
  depth: number
  title: string
  anchor: string | undefined
}

/** The document cut at its headings and entries, in order. Sections without blocks are those that only hold others. */
export function sectionsOf(document: ParsedDocument): Section[] {
  const sections: Section[] = []
  let nearest: string | undefined
  readLevel(document.blocks, [], undefined, undefined)
  return sections

  function readLevel(
    blocks: readonly Block[],
    outer: readonly Level[],
    heading: Section['heading'],
    anchorAbove: string | undefined,
  ) {
    let levels: Level[] = []
    let place = anchorAbove
    let section: Section | undefined
    const open = (title: Section['heading']) => {
      const path = [...outer, ...levels].map((level) => level.title)
      section = { path, heading: title, anchor: place, opensAt: nearest, blocks: [] }
      sections.push(section)
      return section
    }
    if (heading !== undefined) open(heading)
    for (const block of blocks) {
      if (block.kind === 'heading') {
        levels = levels.filter((level) => level.depth < block.depth)
        nearest = block.anchor ?? nearest
        place = block.anchor ?? levels.at(-1)?.anchor ?? anchorAbove
        levels.push({ depth: block.depth, title: plainText(block.text), anchor: place })
        open({ markdown: block.text, isEntry: false })
      } else if (block.kind === 'anchor') {
        place = block.anchor
        nearest = block.anchor
        // The blocks that follow stay in the section; what is cited of them opens here.
        ;(section ?? open(undefined)).blocks.push(block)
      } else if (block.kind === 'entry') {
        nearest = block.anchor ?? nearest
        const anchor = block.anchor ?? place
        const level = { depth: 0, title: shortTerm(block.term), anchor }
        readLevel(block.blocks, [...outer, ...levels, level], { markdown: block.term, isEntry: true }, anchor)
        section = undefined
      } else {
        ;(section ?? open(undefined)).blocks.push(block)
      }
    }
  }
}

/** @example shortTerm('`class Popen(args, bufsize=-1, …`') // 'class Popen(args, bufsize=-1, …' */
function shortTerm(term: string): string {
  const points = Array.from(plainText(term).replaceAll(/\s+/g, ' '))
  return points.length <= LONGEST_TERM ? points.join('') : `${points.slice(0, LONGEST_TERM - 1).join('')}…`
}
