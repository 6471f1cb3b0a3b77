import type { Citation } from '@citewell/contract/chat'
import { oneLine } from '../../../../kernel/one-line.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import { LEFT_OUT, packBlocks } from '../../chat-markdown.ts'
import type { ShownAnswer } from '../../chat-platform.ts'
import { discordLink, markdownForDiscord } from './discord-markdown.ts'

/** The description of an embed takes 4,096 characters. */
const MAX_DESCRIPTION = 4_000
const MAX_MESSAGES = 5
const MAX_SOURCES = 15

/**
 * A request to Discord: to an interaction, of which the first answers it and may be repeated, and further ones follow it; or to a channel,
 * where it is a reply to a question or stands alone.
 */
export type DiscordPost = { payload: Record<string, unknown> } & (
  | { how: 'edit' | 'follow' | 'delete'; application_id: string; token: string }
  | { how: 'reply' | 'channel'; channel: string }
)

/** Where the message of an answer goes. */
function wayTo(
  { channel, reply_to: question, application_id = '', token = '' }: ReplyPlace,
  isFirst: boolean,
) {
  if (channel === undefined) return { how: isFirst ? 'edit' : 'follow', application_id, token } as const
  return { how: question === undefined ? 'channel' : 'reply', channel } as const
}

/** A reply is shown under the question; if that was deleted meanwhile, it stands alone. */
const referenceTo = ({ reply_to: question }: ReplyPlace, isFirst: boolean) =>
  question === undefined || !isFirst
    ? {}
    : { message_reference: { message_id: question, fail_if_not_exists: false } }

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
  if (all.length > MAX_MESSAGES) messages[MAX_MESSAGES - 1] = `*${LEFT_OUT}*`
  const rows = [
    ...(messageId === undefined ? [] : [ratingRow(messageId)]),
    ...(offersPerson ? [personRow(place['conversation'] ?? '')] : []),
  ]
  return messages.map((description, at) => ({
    ...wayTo(place, at === 0),
    payload: {
      ...referenceTo(place, at === 0),
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

/** Takes the sign of an answer being written away. In a channel it ends by itself. */
export const withdrawFromDiscord = ({
  channel,
  application_id = '',
  token = '',
}: ReplyPlace): DiscordPost[] =>
  channel === undefined ? [{ how: 'delete', application_id, token, payload: {} }] : []
