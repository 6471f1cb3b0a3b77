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

/** Removing one construct can form another from its parts, so this is repeated until nothing changes. */
const MAX_ROUNDS = 8
/** Total length read in all rounds together, in UTF-16 units. Ordinary answers need two rounds. */
const MAX_READ = 64_000

const roundsFor = (text: string) =>
  Math.max(2, Math.min(MAX_ROUNDS, Math.floor(MAX_READ / (text.length + 1))))

type Linking = Extract<Nodes, { type: 'link' | 'linkReference' }>

const isAllowed = (address: string, allowed: ReadonlySet<string>) => {
  const plain = plainAddress(address)
  return plain !== undefined && allowed.has(plain)
}

/** Removes the markup around the children of a link: its label stays. */
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

/** Anything that some program may treat as an address in plain text. */
const BARE_ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+/gi

/** An address without the parts that make programs recognize it. The remainder is checked again. */
const stripScheme = (address: string) => address.replaceAll(/https?:\/\/|www\.|[<>]/gi, '')

const ENDS_ADDRESS = new Set(`?!.,:;*_~'")]`)

function stripTrailingPunctuation(address: string): string {
  let end = address.length
  while (end > 0 && ENDS_ADDRESS.has(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** Plain-text addresses count as links too: many renderers link them automatically. */
function editsInText(node: Text, source: string, { links }: AllowedAddresses): Edit[] {
  const { start, end } = spanOf(node)
  const text = source.slice(start, end)
  const edits = [...text.matchAll(BARE_ADDRESS)].flatMap(({ 0: found, index }): Edit[] => {
    const address = stripTrailingPunctuation(found)
    const place = start + index
    const isFine = isAllowed(/^www/i.test(address) ? `https://${address}` : address, links)
    return isFine ? [] : [{ start: place, end: place + address.length, text: stripScheme(address) }]
  })
  // Written with character references, it becomes an address only after parsing.
  const isHidden =
    edits.length === 0 &&
    text.includes('&') &&
    node.value.match(BARE_ADDRESS)?.length !== text.match(BARE_ADDRESS)?.length
  return isHidden ? [{ start, end, text: text.replaceAll('&', '&amp;') }] : edits
}

const isCitation = ({ identifier }: { identifier: string }) => /^\d+$/.test(identifier)

/** Escapes HTML so that it is shown as text; drops comments. */
const escapeHtml = (html: string) => html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll('<', '&lt;')

function editsFor(node: Nodes, source: string, allowed: AllowedAddresses): Edit[] {
  const { start, end } = spanOf(node)
  const replaceBy = (text: string) => [{ start, end, text }]
  if (node.type === 'link' && !isAllowed(node.url, allowed.links))
    return source[start] === '[' ? unwrap(node) : replaceBy(stripScheme(source.slice(start, end)))
  if (node.type === 'text') return editsInText(node, source, allowed)
  // Definitions are removed, so that other references are only text, and numbers are citations again.
  if (node.type === 'linkReference' && node.referenceType === 'full' && !isCitation(node)) return unwrap(node)
  if (node.type === 'definition') return replaceBy('')
  if (node.type === 'image' && !isAllowed(node.url, allowed.images)) return replaceBy(node.alt ?? '')
  if (node.type === 'imageReference') return replaceBy(node.alt ?? '')
  return node.type === 'html' ? replaceBy(escapeHtml(source.slice(start, end))) : []
}

function editsWithin(node: Nodes, source: string, allowed: AllowedAddresses): Edit[] {
  const own = editsFor(node, source, allowed)
  const covers = own.some(({ start, end }) => start === spanOf(node).start && end === spanOf(node).end)
  if (covers || !isParent(node)) return own
  return [...own, ...node.children.flatMap((child) => editsWithin(child, source, allowed))]
}

/**
 * Removes from an answer all links to addresses that its pages do not mention, images that are not theirs, and HTML. They
 * become plain text. Parsed as Markdown, as the renderer that shows it does.
 */
export function sanitizeAnswerLinks(answer: string, allowed: AllowedAddresses): string {
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

/** For input beyond the limits, which does not occur by accident: removes everything that any renderer could treat as a link, image or HTML. */
const withoutMarkup = (text: string) =>
  text
    .replaceAll(/[[\]<]/g, '')
    .replaceAll(/&(?=[a-z#])/gi, '&amp;')
    .replaceAll('://', ': //')
    .replaceAll(/www\./gi, 'www .')
