import type { Citation } from '@citewell/contract/chat'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { plainTextOf } from '../../../../platform/markdown/plain-blocks.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import { LEFT_OUT } from '../../chat-markdown.ts'
import type { ShownAnswer } from '../../chat-platform.ts'
import { linkTo, markdownToRichText } from './markdown-to-rich-text.ts'
import { escaped } from './escape-text.ts'
import { PERSON_ACTION, RATING_ACTION } from './read-slack.ts'
import { plain, section, sizeOf, splitPart, type List, type RichText } from './rich-text.ts'

/** Slack refuses a message whose blocks have more than about 13,200 characters together (slackapi/bolt-js#2509), or more than 50 blocks. */
const MAX_MESSAGE = 11_000
const MAX_BLOCK = 2_900
const MAX_BLOCKS = 45
const MAX_MESSAGES = 5
const MAX_SOURCES = 20
/** What a notification shows. */
const MAX_FALLBACK = 300

interface Block {
  type: string
  [field: string]: unknown
}

/** Adjacent items are one list. */
function mergeItems(parts: readonly RichText[]): RichText[] {
  const merged: RichText[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    const isNext = (list: List, next: List) =>
      list.style === next.style &&
      list.indent === next.indent &&
      next.offset === list.offset + list.elements.length
    if (part.type === 'rich_text_list' && last?.type === 'rich_text_list' && isNext(last, part)) {
      merged[merged.length - 1] = { ...last, elements: [...last.elements, ...part.elements] }
    } else merged.push(part)
  }
  return merged
}

/** Packs parts into groups of at most so many characters; a part that does not fit begins a new group. */
function pack(parts: readonly RichText[], most: number): RichText[][] {
  const groups: RichText[][] = []
  let size = 0
  for (const part of parts) {
    const its = sizeOf(part)
    if (groups.length === 0 || size + its > most) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(part)
    size += its
  }
  return groups
}

const richText = (parts: readonly RichText[]): Block => ({ type: 'rich_text', elements: mergeItems(parts) })

function sourcesPart(citations: readonly Citation[]): RichText[] {
  if (citations.length === 0) return []
  const lines = citations
    .slice(0, MAX_SOURCES)
    .flatMap(({ index, title, url }) => [
      plain(`\n[${index}] `),
      linkTo(url, oneLine(title, 150) || 'Untitled'),
    ])
  return [section([plain('Sources', { bold: true }), ...lines])]
}

const ratingBlock = (messageId: string): Block => ({
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: RATING_ACTION,
      positive_button: {
        text: { type: 'plain_text', text: '👍' },
        accessibility_label: 'This answer is good',
        value: `up:${messageId}`,
      },
      negative_button: {
        text: { type: 'plain_text', text: '👎' },
        accessibility_label: 'This answer is not good',
        value: `down:${messageId}`,
      },
    },
  ],
})

const PERSON_BLOCK: Block = {
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: PERSON_ACTION,
      text: { type: 'plain_text', text: 'Get a person' },
      value: 'person',
    },
  ],
}

/** Too much for a chat: the rest is left out, and said so. */
function bounded(messages: RichText[][][]): RichText[][][] {
  if (messages.length <= MAX_MESSAGES) return messages
  const kept = messages.slice(0, MAX_MESSAGES)
  kept.at(-1)?.push([section([plain(LEFT_OUT, { italic: true })])])
  return kept
}

/** The messages of an answer: split between blocks, within the lengths of Slack; sources and rating under the last. */
export function renderForSlack(
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  place: ReplyPlace,
): unknown[] {
  const parts = [...markdownToRichText(markdown, citations), ...sourcesPart(citations)].flatMap((part) =>
    splitPart(part, MAX_BLOCK),
  )
  const blocks = pack(parts, MAX_BLOCK)
  const messages: RichText[][][] = [[]]
  let size = 0
  for (const block of blocks) {
    const its = block.reduce((sum, part) => sum + sizeOf(part), 0)
    if (size + its > MAX_MESSAGE || (messages.at(-1)?.length ?? 0) >= MAX_BLOCKS) {
      messages.push([])
      size = 0
    }
    messages.at(-1)?.push(block)
    size += its
  }
  const text = escaped(truncateText(plainTextOf(markdown), MAX_FALLBACK)) || 'Answer'
  return bounded(messages).map((message, at, all) => ({
    channel: place['channel'],
    thread_ts: place['thread_ts'],
    text,
    mrkdwn: false,
    parse: 'none',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      ...message.map(richText),
      ...(at === all.length - 1 && messageId !== undefined ? [ratingBlock(messageId)] : []),
      ...(at === all.length - 1 && offersPerson ? [PERSON_BLOCK] : []),
    ],
  }))
}
