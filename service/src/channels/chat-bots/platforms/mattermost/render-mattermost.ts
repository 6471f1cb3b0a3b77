import type { Table } from 'mdast'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textIn } from '../../../../platform/markdown/aligned-table.ts'
import {
  chatLink,
  chatMarkdown,
  LEFT_OUT,
  packBlocks,
  PERSON_HINT,
  sourcesBlock,
  type MarkdownDialect,
} from '../../chat-markdown.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { ShownAnswer } from '../../chat-platform.ts'

/** Mattermost takes 16,383 characters. */
const MAX_MESSAGE = 12_000
const MAX_MESSAGES = 5
const MAX_CELL = 500
/** Of a question that only its asker has seen. */
const MAX_QUESTION = 300

/** A post, as the API takes it. */
export interface MattermostPost {
  post: { channel_id: string; root_id: string; message: string }
  is_rated: boolean
  answer_id?: string
}

/**
 * Text that Mattermost shows as it is. Names after `@` are looked for in the text as it is shown, whatever is escaped: an invisible space
 * keeps them from notifying anybody.
 */
const mattermostText = (text: string) =>
  text
    .replaceAll(/[\\`*_~|<>[\]()#!$]/g, (sign) => `\\${sign}`)
    .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '@\u200B')
    .replaceAll(/^([+-])/gm, String.raw`\$1`)
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)

const table = ({ children: rows }: Table): string => {
  const lines = rows.map(({ children: cells }) => {
    const texts = cells.map((cell) => mattermostText(oneLine(textIn(cell), MAX_CELL)))
    return `| ${texts.join(' | ')} |`
  })
  const [head = '', ...rest] = lines
  const columns = rows[0]?.children.length ?? 0
  return [head, `|${' --- |'.repeat(columns)}`, ...rest].join('\n')
}

const MATTERMOST: MarkdownDialect = {
  text: mattermostText,
  citation: (index, { url }) => `(${chatLink(url, String(index), { text: mattermostText })})`,
  table,
}

/** The messages of an answer as Markdown, in the thread of the question; sources under the last, which is rated. */
export function renderForMattermost(
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  place: ReplyPlace,
): MattermostPost[] {
  const { question, answer_id: answerId } = place
  const blocks = [
    ...(question === undefined ? [] : [`> ${mattermostText(oneLine(question, MAX_QUESTION))}`]),
    ...chatMarkdown(markdown, citations, MATTERMOST),
    ...sourcesBlock(citations, MATTERMOST),
    ...(offersPerson ? [PERSON_HINT] : []),
  ]
  const all = packBlocks(blocks, MAX_MESSAGE)
  const messages = all.length === 0 ? ['…'] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) messages[MAX_MESSAGES - 1] = `*${LEFT_OUT}*`
  return messages.map((message, at) => ({
    post: { channel_id: place['channel_id'] ?? '', root_id: place['root_id'] ?? '', message },
    is_rated: at === messages.length - 1 && messageId !== undefined,
    ...(answerId !== undefined && { answer_id: answerId }),
  }))
}
