import type { Citation } from '@citewell/contract/chat'
import { oneLine } from '../../../../kernel/one-line.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import { packBlocks } from '../../chat-markdown.ts'
import type { ShownAnswer } from '../../chat-platform.ts'
import { discordLink, markdownForDiscord } from './discord-markdown.ts'

/** The description of an embed takes 4,096 characters. */
const MAX_DESCRIPTION = 4_000
const MAX_MESSAGES = 5
const MAX_SOURCES = 15

/** A request to Discord. The first answers the interaction itself, and may be repeated; further ones follow it. */
export interface DiscordPost {
  how: 'edit' | 'follow' | 'delete' | 'channel'
  /** Of `channel`. */
  channel?: string
  application_id: string
  token: string
  payload: Record<string, unknown>
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
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  place: ReplyPlace,
): DiscordPost[] {
  const blocks = [...markdownForDiscord(markdown, citations), ...sourcesBlock(citations)]
  const all = packBlocks(blocks, MAX_DESCRIPTION)
  const messages = all.length === 0 ? ['…'] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) messages[MAX_MESSAGES - 1] = '*… The answer is longer than a chat can show.*'
  const channel = place['channel']
  const rows = [
    ...(messageId === undefined ? [] : [ratingRow(messageId)]),
    ...(offersPerson ? [personRow(place['conversation'] ?? '')] : []),
  ]
  return messages.map((description, at) => ({
    ...(channel === undefined ? { how: at === 0 ? 'edit' : 'follow' } : { how: 'channel', channel }),
    application_id: place['application_id'] ?? '',
    token: place['token'] ?? '',
    payload: {
      embeds: [{ description }],
      components: at === messages.length - 1 ? rows : [],
      allowed_mentions: { parse: [] },
    },
  }))
}

const ratingRow = (messageId: string) => ({
  type: 1,
  components: [button('👍', `rate:up:${messageId}`), button('👎', `rate:down:${messageId}`)],
})

/** The button says which conversation it belongs to: the interaction of a press does not. */
const personRow = (conversation: string) => ({
  type: 1,
  components: [button('Get a person', `person:${conversation}`.slice(0, 100))],
})

/** Takes the sign of an answer being written away. */
export const withdrawFromDiscord = (place: ReplyPlace): DiscordPost[] => [
  { how: 'delete', application_id: place['application_id'] ?? '', token: place['token'] ?? '', payload: {} },
]
