import type { Nodes, Text } from 'mdast'
import { isTooComplex } from '../../platform/markdown/is-too-complex.ts'
import {
  applyEdits,
  isParent,
  parseMarkdown,
  spanOf,
  type Edit,
} from '../../platform/markdown/markdown-tree.ts'
import { plainAddress } from '../../platform/markdown/plain-address.ts'
import type { AllowedAddresses } from './evidence-addresses.ts'

/** Taking one construct apart can make another out of its parts, so it is done again until nothing changes. */
const MAX_ROUNDS = 8
/** Text that is read in all rounds together, in UTF-16 units. Answers that people write are done in two. */
const MOST_READ = 64_000

const roundsFor = (text: string) =>
  Math.max(2, Math.min(MAX_ROUNDS, Math.floor(MOST_READ / (text.length + 1))))

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

const ENDS_ADDRESS = new Set(`?!.,:;*_~'")]`)

function withoutEnding(address: string): string {
  let end = address.length
  while (end > 0 && ENDS_ADDRESS.has(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** Addresses in plain text are links as well, for those who look for them. */
function editsInText(node: Text, source: string, { links }: AllowedAddresses): Edit[] {
  const { start, end } = spanOf(node)
  const text = source.slice(start, end)
  const edits = [...text.matchAll(BARE_ADDRESS)].flatMap(({ 0: found, index }): Edit[] => {
    const address = withoutEnding(found)
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
  if (isTooComplex(text)) return withoutMarkup(text)
  for (let round = 0; round < roundsFor(answer); round += 1) {
    const edits = editsWithin(parseMarkdown(text), text, allowed)
    if (edits.length === 0) return text
    text = applyEdits(text, edits)
    if (isTooComplex(text)) break
  }
  return withoutMarkup(text)
}

/** What nobody writes by chance is shown without anything that could be a link, a picture or HTML, to whatever reads it. */
const withoutMarkup = (text: string) =>
  text
    .replaceAll(/[[\]<]/g, '')
    .replaceAll(/&(?=[a-z#])/gi, '&amp;')
    .replaceAll('://', ': //')
    .replaceAll(/www\./gi, 'www .')
