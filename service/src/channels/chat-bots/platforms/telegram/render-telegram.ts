import type { Citation } from '@citewell/contract/chat'
import type { List, Nodes } from 'mdast'
import { markdownAddress } from '../../../../kernel/markdown-name.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { alignedTable, textIn } from '../../../../platform/markdown/aligned-table.ts'
import { isParent, parseMarkdown } from '../../../../platform/markdown/markdown-tree.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import { LEFT_OUT } from '../../chat-markdown.ts'
import type { ShownAnswer } from '../../chat-platform.ts'
import { citedPieces, type CitedSource } from '../../cited-text.ts'
import { PERSON_DATA, ratingData } from './read-press.ts'
import {
  formed,
  joined,
  packTexts,
  plain,
  styled,
  unmentioned,
  type TelegramEntity,
  type TelegramText,
} from './telegram-text.ts'

const MAX_MESSAGES = 5
const MAX_SOURCES = 20
const MAX_DEPTH = 20
/** Longer addresses become text. */
const MAX_ADDRESS = 2_000

interface Button {
  text: string
  callback_data: string
}

/** A message as `sendMessage` and `editMessageText` take it, and what only a new one has. */
export interface TelegramPost {
  chat_id: string
  message: {
    text: string
    entities: readonly TelegramEntity[]
    link_preview_options: { is_disabled: true }
    reply_markup?: { inline_keyboard: Button[][] }
  }
  as_new: {
    message_thread_id?: number
    disable_notification?: true
    reply_parameters?: { message_id: number; allow_sending_without_reply: true }
  }
}

/** A link, or the words alone if the address is not one that a reader should follow. */
function link(url: string, text: string): TelegramText {
  const address = url.length <= MAX_ADDRESS ? markdownAddress(url) : undefined
  return address === undefined ? plain(text) : formed(unmentioned(text), 'text_link', { url: address })
}

const STYLES: Partial<Record<Nodes['type'], TelegramEntity['type']>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strikethrough',
}

function inline(node: Nodes, source: CitedSource, depth = 0): TelegramText {
  if (depth > MAX_DEPTH) return plain(textIn(node))
  if (node.type === 'text')
    return joined(
      citedPieces(node, source).map(({ text, citation }) =>
        citation === undefined ? plain(text) : link(citation.url, text),
      ),
    )
  if (node.type === 'inlineCode') return formed(node.value.replaceAll(/\s+/g, ' '), 'code')
  if (node.type === 'break') return plain('\n')
  if (node.type === 'link') return link(node.url, textIn(node))
  if (node.type === 'image') return link(node.url, node.alt ?? 'Image')
  if (!isParent(node)) return plain('value' in node ? node.value : '')
  const inner = joined(node.children.map((child) => inline(child, source, depth + 1)))
  const style = STYLES[node.type]
  return style === undefined || inner.text.trim() === '' ? inner : styled(inner, style)
}

const preformatted = (code: string, language = ''): TelegramText[] =>
  code.trim() === '' ? [] : [formed(code, 'pre', /^[\w+-]{1,20}$/.test(language) ? { language } : {})]

function listBlock(list: List, source: CitedSource, depth: number): TelegramText {
  const first = list.start ?? 1
  const items = list.children.map((item, at) => {
    const sign = list.ordered === true ? `${first + at}. ` : '• '
    const blocks = item.children.flatMap((child) => blocksOf(child, source, depth + 1))
    return joined([plain(`${'   '.repeat(Math.min(depth, 5))}${sign}`), joined(blocks, '\n')])
  })
  return joined(items, '\n')
}

/** Telegram has no quotes within quotes, and none with code. */
const UNQUOTED = new Set<TelegramEntity['type']>(['blockquote', 'code', 'pre'])

const quoted = (block: TelegramText): TelegramText =>
  block.entities.some(({ type }) => UNQUOTED.has(type)) ? block : styled(block, 'blockquote')

function blocksOf(node: Nodes, source: CitedSource, depth = 0): TelegramText[] {
  if (depth > MAX_DEPTH) return [plain(textIn(node))]
  if (node.type === 'paragraph') return [inline(node, source)]
  if (node.type === 'heading') return [styled(inline(node, source), 'bold')]
  if (node.type === 'code') return preformatted(node.value, node.lang ?? '')
  if (node.type === 'table') return preformatted(alignedTable(node))
  if (node.type === 'list') return [listBlock(node, source, depth)]
  if (node.type === 'html') return [plain(node.value)]
  const inner = isParent(node) ? node.children.flatMap((child) => blocksOf(child, source, depth + 1)) : []
  return node.type === 'blockquote' ? inner.map(quoted) : inner
}

function sourcesBlock(citations: readonly Citation[]): TelegramText[] {
  if (citations.length === 0) return []
  const lines = citations
    .slice(0, MAX_SOURCES)
    .map(({ index, title, url }) =>
      joined([plain(`${index}. `), link(url, oneLine(title, 150) || 'Untitled')]),
    )
  return [joined([formed('Sources', 'bold'), ...lines], '\n')]
}

function keyboard(messageId: string, offersPerson: boolean): Button[][] {
  const rating = [
    { text: '👍', callback_data: ratingData('up', messageId) },
    { text: '👎', callback_data: ratingData('down', messageId) },
  ]
  return offersPerson ? [rating, [{ text: 'Get a person', callback_data: PERSON_DATA }]] : [rating]
}

/** What only a new message has: where it belongs, and that in a group it rings for nobody. */
export function newMessageFields(place: ReplyPlace): TelegramPost['as_new'] {
  const { message_id: question, thread, chat } = place
  const isGroup = chat !== 'private'
  return {
    ...(thread !== undefined && { message_thread_id: Number(thread) }),
    ...(isGroup && { disable_notification: true }),
    ...(isGroup &&
      question !== undefined && {
        // The question may be deleted meanwhile.
        reply_parameters: { message_id: Number(question), allow_sending_without_reply: true },
      }),
  }
}

/** The messages of an answer: the first replies to the question, sources and buttons are under the last. */
export function renderForTelegram(
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  place: ReplyPlace,
): TelegramPost[] {
  const source = { markdown, citations: new Map(citations.map((citation) => [citation.index, citation])) }
  const answer = parseMarkdown(markdown).children.flatMap((block) => blocksOf(block, source))
  const all = packTexts([...answer, ...sourcesBlock(citations)])
  const texts = all.length === 0 ? [plain('…')] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) texts[MAX_MESSAGES - 1] = formed(LEFT_OUT, 'italic')
  const { reply_parameters: reply, ...others } = newMessageFields(place)
  return texts.map(({ text, entities }, at) => ({
    chat_id: place['chat_id'] ?? '',
    message: {
      text,
      entities,
      link_preview_options: { is_disabled: true },
      ...(at === texts.length - 1 &&
        messageId !== undefined && { reply_markup: { inline_keyboard: keyboard(messageId, offersPerson) } }),
    },
    as_new: { ...others, ...(at === 0 && reply !== undefined && { reply_parameters: reply }) },
  }))
}
