import type { Nodes } from 'mdast'
import { truncateText } from '../../kernel/cut-text.ts'
import { isParent, parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { plainAddress } from '../../platform/markdown/plain-address.ts'
import { plainBlocksIn } from '../../platform/markdown/plain-blocks.ts'
import { MAX_PASSAGE_LENGTH, MAX_PLACES } from './passage-limits.ts'

/** What search and answers need of a passage's Markdown. */
export interface PassageReading {
  /** For each part that a citation can link to, at least one: its visible text, block by block. */
  parts: string[][]
  /** Addresses that it links to or names, normalized. */
  links: string[]
  /** Addresses of its images. */
  images: string[]
}

const BARE_ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/g
const ENDS_SENTENCE = new Set('.,;:!?')

/** Maximum addresses of one passage. */
const MAX_ADDRESSES = 300

function withoutEnding(address: string): string {
  let end = address.length
  while (end > 0 && ENDS_SENTENCE.has(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

function addressesOf(tree: Nodes): { links: string[]; images: string[] } {
  const found = { links: [] as string[], images: [] as string[] }
  const visit = (node: Nodes) => {
    if (node.type === 'image') found.images.push(node.url)
    if (node.type === 'link' || node.type === 'definition') found.links.push(node.url)
    if (isParent(node)) for (const child of node.children) visit(child)
  }
  visit(tree)
  return found
}

function spelled(addresses: readonly string[]): string[] {
  const known = addresses.slice(0, MAX_ADDRESSES).flatMap((address) => plainAddress(address) ?? [])
  return [...new Set(known)]
}

/** Reads a passage, up to the maximum passage length. */
export function readPassage(whole: string, places: readonly { at: number }[]): PassageReading {
  const text = truncateText(whole, MAX_PASSAGE_LENGTH)
  const starts = places.slice(0, MAX_PLACES).map(({ at }) => Math.min(at, text.length))
  const trees = (starts.length === 0 ? [0] : starts).map((at, index) =>
    parseMarkdown(text.slice(at, starts[index + 1])),
  )
  const found = trees.map(addressesOf)
  const named = [...text.matchAll(BARE_ADDRESS)].map(([address]) => withoutEnding(address))
  return {
    parts: trees.map(plainBlocksIn),
    links: spelled([...found.flatMap(({ links }) => links), ...named]),
    images: spelled(found.flatMap(({ images }) => images)),
  }
}
