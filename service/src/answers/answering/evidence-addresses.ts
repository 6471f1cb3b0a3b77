import type { Nodes } from 'mdast'
import { isParent, parseMarkdown, type Evidence } from '../citations/citations.ts'

/** Addresses that an answer may link to, and pictures that it may show. */
export interface AllowedAddresses {
  links: ReadonlySet<string>
  images: ReadonlySet<string>
}

/** An address without its fragment, spelled in one way; undefined for anything but web and mail addresses. */
export function plainAddress(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}

const BARE_ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/g

/** The addresses of the pages, and those that their text links to or names. */
export function addressesIn(evidence: readonly Evidence[]): AllowedAddresses {
  const links = new Set<string>()
  const images = new Set<string>()
  const add = (set: Set<string>, address: string) => {
    const plain = plainAddress(address)
    if (plain !== undefined) set.add(plain)
  }
  const visit = (node: Nodes) => {
    if (node.type === 'image') add(images, node.url)
    if (node.type === 'link' || node.type === 'definition') add(links, node.url)
    if (isParent(node)) for (const child of node.children) visit(child)
  }
  for (const { url, text } of evidence.flatMap(({ passages }) => passages)) {
    add(links, url)
    visit(parseMarkdown(text))
    for (const [address] of text.matchAll(BARE_ADDRESS)) add(links, address.replace(/[.,;:!?]+$/, ''))
  }
  return { links, images }
}
