import { oneLine } from '../../kernel/one-line.ts'
import type { Block, ParsedDocument } from '../parsing/parsing.ts'
import { plainText } from '../parsing/parsing.ts'
import { MAX_HEADING_LENGTH } from './merge-small.ts'

/** The blocks under one heading, or in one entry. */
export interface Section {
  /** Plain titles of the headings above, outermost first. */
  path: string[]
  /** The last of `path` as Markdown; undefined if a section continues after an entry, or begins the document. */
  heading: { markdown: string; isEntry: boolean } | undefined
  /** Anchor of the heading or entry that it belongs to, or of an enclosing one. */
  anchor: string | undefined
  /** The last anchor above it, of any heading, entry or page: the one closest to its text. */
  opensAt: string | undefined
  /** No headings or entries. */
  blocks: Block[]
}

/** Maximum length of a term in a heading path: signatures run to hundreds of characters. */
const MAX_TERM_LENGTH = 80
/** The same for a heading; a longer one is rather a paragraph. */
const MAX_TITLE_LENGTH = 200
/** Maximum number of headings and entries in a path; deeper ones are only part of the text. */
const MAX_LEVELS = 12
/** Maximum length of a fragment id; no real page has longer ones. */
const MAX_ANCHOR_LENGTH = 500

const anchorOf = (anchor: string | undefined) =>
  anchor === undefined || anchor.length > MAX_ANCHOR_LENGTH ? undefined : anchor

interface Level {
  depth: number
  title: string
  anchor: string | undefined
}

/** Splits the document at its headings and entries, in order. Sections without blocks are those that only contain other sections. */
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
      const path = [...outer, ...levels].slice(0, MAX_LEVELS).map((level) => level.title)
      section = { path, heading: title, anchor: place, opensAt: nearest, blocks: [] }
      sections.push(section)
      return section
    }
    if (heading !== undefined) open(heading)
    for (const block of blocks) {
      if (block.kind === 'heading') {
        levels = levels.filter((level) => level.depth < block.depth)
        const anchor = anchorOf(block.anchor)
        nearest = anchor ?? nearest
        place = anchor ?? levels.at(-1)?.anchor ?? anchorAbove
        const title = plainText(block.text)
        levels.push({ depth: block.depth, title: oneLine(title, MAX_TITLE_LENGTH), anchor: place })
        const opened = open({ markdown: block.text, isEntry: false })
        if (block.text.length > MAX_HEADING_LENGTH)
          opened.blocks.push({ kind: 'paragraph', markdown: block.text })
      } else if (block.kind === 'anchor') {
        if (anchorOf(block.anchor) === undefined) continue
        place = block.anchor
        nearest = block.anchor
        // The blocks that follow stay in the section; citations of them open at this anchor.
        ;(section ?? open(undefined)).blocks.push(block)
      } else if (block.kind === 'entry') {
        nearest = anchorOf(block.anchor) ?? nearest
        const anchor = anchorOf(block.anchor) ?? place
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
  const points = Array.from(oneLine(plainText(term), 2 * MAX_TERM_LENGTH))
  return points.length <= MAX_TERM_LENGTH
    ? points.join('')
    : `${points.slice(0, MAX_TERM_LENGTH - 1).join('')}…`
}
