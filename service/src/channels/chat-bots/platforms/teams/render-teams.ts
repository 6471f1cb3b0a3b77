import type { Citation } from '@citewell/contract/chat'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { markdownAddress } from '../../../../kernel/markdown-name.ts'
import { chatMarkdown, LEFT_OUT, packBlocks, PERSON_HINT, type MarkdownDialect } from '../../chat-markdown.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { ShownAnswer } from '../../chat-platform.ts'

/** Teams takes about 28 KB in a message, in UTF-16, with everything around the text. */
const MAX_TEXT = 8_000
const MAX_MESSAGES = 5
/** Teams refuses a message with more. */
const MAX_CITATIONS = 20
const MAX_NAME = 80
const MAX_ABSTRACT = 160
const MAX_URL = 2_000

/** A request to Teams: a message in a conversation, as a reply to one. */
export interface TeamsPost {
  service_url: string
  conversation: string
  reply_to: string | undefined
  activity: Record<string, unknown>
}

/** Text that Teams shows as it is: no style, tag or link. A mention needs an entity, which is never sent. */
const teamsText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_~[\]|]/g, (sign) => `\\${sign}`)
    .replaceAll(/^([#+-])/gm, String.raw`\$1`)
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)

/** Teams makes a reference of `[1]` in the text where the message has a claim with that position. */
const dialectOf = (shown: ReadonlySet<number>): MarkdownDialect => ({
  text: teamsText,
  citation: (index) => (shown.has(index) ? `[${index}]` : ''),
})

const claim = ({ index, title, url }: Citation) => {
  const address = url.length <= MAX_URL ? markdownAddress(url) : undefined
  return {
    '@type': 'Claim',
    position: index,
    appearance: {
      '@type': 'DigitalDocument',
      name: oneLine(title, MAX_NAME) || 'Untitled',
      ...(address !== undefined && { url: address }),
      abstract: truncateText(oneLine(title, MAX_ABSTRACT), MAX_ABSTRACT) || 'Untitled',
    },
  }
}

/** The positions that a text refers to. */
const positionsIn = (text: string) =>
  new Set([...text.matchAll(/(?<!\\)\[(\d{1,3})\]/g)].map(([, index]) => Number(index)))

/** A message entity: what the message cites, and that a program wrote it. */
const entityOf = (cited: readonly Citation[]) => ({
  type: 'https://schema.org/Message',
  '@type': 'Message',
  '@context': 'https://schema.org',
  additionalType: ['AIGeneratedContent'],
  ...(cited.length > 0 && { citation: cited.map(claim) }),
})

const post = (place: ReplyPlace, activity: Record<string, unknown>): TeamsPost => ({
  service_url: place['service_url'] ?? '',
  conversation: place['conversation'] ?? '',
  reply_to: place['reply_to'],
  activity,
})

/** Pages that the text does not refer to have no place of their own in Teams: they are listed. */
const furtherSources = (citations: readonly Citation[], inText: ReadonlySet<number>): string[] => {
  const further = citations.filter(({ index }) => !inText.has(index)).slice(0, MAX_CITATIONS)
  const lines = further.flatMap(({ title, url }) => {
    const address = url.length <= MAX_URL ? markdownAddress(url) : undefined
    const name = teamsText(oneLine(title, MAX_NAME) || 'Untitled')
    return address === undefined ? [] : [`- [${name}](${address})`]
  })
  return lines.length === 0 ? [] : [['**Sources**', ...lines].join('\n')]
}

/** The messages of an answer, with its citations as those of Teams, and buttons for a rating under the last. */
export function renderForTeams(
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  place: ReplyPlace,
): TeamsPost[] {
  const shown = citations.slice(0, MAX_CITATIONS)
  const dialect = dialectOf(new Set(shown.map(({ index }) => index)))
  const blocks = chatMarkdown(markdown, citations, dialect)
  const further = furtherSources(shown, positionsIn(blocks.join('\n')))
  const all = packBlocks([...blocks, ...further, ...(offersPerson ? [PERSON_HINT] : [])], MAX_TEXT)
  const texts = all.length === 0 ? ['…'] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) texts[MAX_MESSAGES - 1] = `*${LEFT_OUT}*`
  return texts.map((text, at) => {
    const inText = positionsIn(text)
    const isLast = at === texts.length - 1
    return post(place, {
      type: 'message',
      textFormat: 'markdown',
      text,
      ...(messageId !== undefined && {
        entities: [entityOf(shown.filter(({ index }) => inText.has(index)))],
      }),
      ...(isLast && messageId !== undefined && { channelData: { feedbackLoop: { type: 'default' } } }),
    })
  })
}

/** Shows for a few seconds that an answer is being written. */
export const typingInTeams = (place: ReplyPlace): TeamsPost =>
  post({ ...place, reply_to: '' }, { type: 'typing' })
