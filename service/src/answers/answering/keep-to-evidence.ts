import type { Nodes, Text } from 'mdast'
import { applyEdits, isParent, parseMarkdown, spanOf, type Edit } from '../citations/citations.ts'
import { plainAddress, type AllowedAddresses } from './evidence-addresses.ts'

/** Taking one construct apart can make another out of its parts, so it is done again until nothing changes. */
const MAX_ROUNDS = 8

type Linking = Extract<Nodes, { type: 'link' | 'linkReference' }>

const isAllowed = (address: string, allowed: ReadonlySet<string>) => {
  const plain = plainAddress(address)
  return plain !== undefined && allowed.has(plain)
}

/** Removes what is around the children of a link: its label stays. */
function unwrap(node: Linking): Edit[] {
  const { start, end } = spanOf(node)
  const first = node.children[0]
  const last = node.children.at(-1)
  if (first === undefined || last === undefined) return [{ start, end, text: '' }]
  return [
    { start, end: spanOf(first).start, text: '' },
    { start: spanOf(last).end, end, text: '' },
  ]
}

/** Whatever may be taken for an address in plain text, by one program or another. */
const BARE_ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+/gi

/** An address without what makes programs take it for one. What is left of it is read again. */
const withoutScheme = (address: string) => address.replaceAll(/https?:\/\/|www\.|[<>]/gi, '')

/** Addresses in plain text are links as well, for those who look for them. */
function editsInText(node: Text, source: string, { links }: AllowedAddresses): Edit[] {
  const { start, end } = spanOf(node)
  const text = source.slice(start, end)
  const edits = [...text.matchAll(BARE_ADDRESS)].flatMap(({ 0: found, index }): Edit[] => {
    const address = found.replace(/[?!.,:;*_~'")\]]+$/, '')
    const place = start + index
    const isFine = isAllowed(/^www/i.test(address) ? `https://${address}` : address, links)
    return isFine ? [] : [{ start: place, end: place + address.length, text: withoutScheme(address) }]
  })
  // Spelled with character references, it is an address only once it has been read.
  const isHidden =
    edits.length === 0 &&
    text.includes('&') &&
    node.value.match(BARE_ADDRESS)?.length !== text.match(BARE_ADDRESS)?.length
  return isHidden ? [{ start, end, text: text.replaceAll('&', '&amp;') }] : edits
}

const isCitation = ({ identifier }: { identifier: string }) => /^\d+$/.test(identifier)

/** HTML is shown as the text that it is; comments are dropped. */
const asText = (html: string) => html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll('<', '&lt;')

function editsFor(node: Nodes, source: string, allowed: AllowedAddresses): Edit[] {
  const { start, end } = spanOf(node)
  const replaceBy = (text: string) => [{ start, end, text }]
  if (node.type === 'link' && !isAllowed(node.url, allowed.links)) {
    return source[start] === '[' ? unwrap(node) : replaceBy(withoutScheme(source.slice(start, end)))
  }
  if (node.type === 'text') return editsInText(node, source, allowed)
  // Without definitions, which are taken out, other references are only text, and numbers are citations again.
  if (node.type === 'linkReference' && node.referenceType === 'full' && !isCitation(node)) return unwrap(node)
  if (node.type === 'definition') return replaceBy('')
  if (node.type === 'image' && !isAllowed(node.url, allowed.images)) return replaceBy(node.alt ?? '')
  if (node.type === 'imageReference') return replaceBy(node.alt ?? '')
  return node.type === 'html' ? replaceBy(asText(source.slice(start, end))) : []
}

function editsWithin(node: Nodes, source: string, allowed: AllowedAddresses): Edit[] {
  const own = editsFor(node, source, allowed)
  const covers = own.some(({ start, end }) => start === spanOf(node).start && end === spanOf(node).end)
  if (covers || !isParent(node)) return own
  return [...own, ...node.children.flatMap((child) => editsWithin(child, source, allowed))]
}

/**
 * What an answer may show: links only to addresses that its pages name, pictures only of theirs, no HTML. Anything else
 * becomes plain text. Read as Markdown, as whoever shows it does.
 */
export function keepToEvidence(answer: string, allowed: AllowedAddresses): string {
  let text = answer
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const edits = editsWithin(parseMarkdown(text), text, allowed)
    if (edits.length === 0) return text
    text = applyEdits(text, edits)
  }
  // Nobody writes this by chance.
  return text.replaceAll(/[[\]<]/g, '').replaceAll('://', ': //')
}
