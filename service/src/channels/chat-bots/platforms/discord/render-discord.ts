import type { Citation } from '@citewell/contract/chat'
import { splitText } from '../../../../kernel/cut-text.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { ShownAnswer } from '../../chat-platform.ts'
import { codeBlock, discordLink, markdownForDiscord } from './discord-markdown.ts'

/** The description of an embed takes 4,096 characters. */
const MAX_DESCRIPTION = 4_000
const MAX_MESSAGES = 5
const MAX_SOURCES = 15

/** A request to Discord. The first answers the interaction itself, and may be repeated; further ones follow it. */
export interface DiscordPost {
  how: 'edit' | 'follow' | 'delete'
  application_id: string
  token: string
  payload: Record<string, unknown>
}

const FENCE = /^```([\w+-]*)\n([\s\S]*)\n```$/

/** Splits a block that is too long: code stays code. */
function splitBlock(block: string): string[] {
  if (block.length <= MAX_DESCRIPTION) return [block]
  const [, language, code] = FENCE.exec(block) ?? []
  if (code === undefined) return splitLines(block, MAX_DESCRIPTION)
  return splitLines(code, MAX_DESCRIPTION - 50).map((piece) => codeBlock(piece, language))
}

/** Pieces of whole lines; a longer line is cut. */
function splitLines(text: string, most: number): string[] {
  const pieces: string[] = []
  for (const line of text.split('\n').flatMap((each) => splitText(each, most))) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= most)
      pieces[pieces.length - 1] = `${last}\n${line}`
    else pieces.push(line)
  }
  return pieces
}

function pack(blocks: readonly string[]): string[] {
  const messages: string[] = []
  for (const block of blocks.flatMap(splitBlock)) {
    const last = messages.at(-1)
    if (last !== undefined && last.length + 2 + block.length <= MAX_DESCRIPTION) {
      messages[messages.length - 1] = `${last}\n\n${block}`
    } else messages.push(block)
  }
  return messages
}

const sourcesBlock = (citations: readonly Citation[]): string[] =>
  citations.length === 0
    ? []
    : [
        [
          '**Sources**',
          ...citations
            .slice(0, MAX_SOURCES)
            .map(
              ({ index, title, url }) => `${index}\\. ${discordLink(url, oneLine(title, 100) || 'Untitled')}`,
            ),
        ].join('\n'),
      ]

const button = (label: string, customId: string) => ({ type: 2, style: 2, label, custom_id: customId })

/** The messages of an answer as embeds, in which nobody is notified; sources and rating under the last. */
export function renderForDiscord(
  { markdown, citations, messageId }: ShownAnswer,
  place: ReplyPlace,
): DiscordPost[] {
  const all = pack([...markdownForDiscord(markdown, citations), ...sourcesBlock(citations)])
  const messages = all.length === 0 ? ['…'] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) messages[MAX_MESSAGES - 1] = '*… The answer is longer than a chat can show.*'
  const rating = messageId === undefined ? [] : [ratingRow(messageId)]
  return messages.map((description, at) => ({
    how: at === 0 ? 'edit' : 'follow',
    application_id: place['application_id'] ?? '',
    token: place['token'] ?? '',
    payload: {
      embeds: [{ description }],
      components: at === messages.length - 1 ? rating : [],
      allowed_mentions: { parse: [] },
    },
  }))
}

const ratingRow = (messageId: string) => ({
  type: 1,
  components: [button('👍', `rate:up:${messageId}`), button('👎', `rate:down:${messageId}`)],
})

/** Takes the sign of an answer being written away. */
export const withdrawFromDiscord = (place: ReplyPlace): DiscordPost[] => [
  { how: 'delete', application_id: place['application_id'] ?? '', token: place['token'] ?? '', payload: {} },
]
