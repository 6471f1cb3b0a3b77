import { createHash } from 'node:crypto'
import {
  chatLink,
  chatMarkdown,
  LEFT_OUT,
  packBlocks,
  sourcesBlock,
  type MarkdownDialect,
} from '../../chat-markdown.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { ShownAnswer } from '../../chat-platform.ts'

/** Google Chat takes 32,000 bytes, with everything around the text; its users 4,096 characters. */
const MAX_TEXT = 4_000
const MAX_MESSAGES = 5

/** What both a new message and an edit have. */
export interface GoogleChatMessage {
  text: string
  markupSyntax: 'MARKUP_SYNTAX_MARKDOWN'
  accessoryWidgets: object[]
}

/** A message in a space, which Google posts once for each `request_id`. */
export interface GoogleChatPost {
  space: string
  thread: string | undefined
  request_id: string
  message: GoogleChatMessage
}

/** Google Chat makes mentions of `<users/…>`, and links of `<…|…>`: an invisible space keeps it from that, whatever is escaped. */
export const withoutTags = (text: string) => text.replaceAll('<', '<\u200B')

/** Text that Google Chat shows as it is. */
const googleChatText = (text: string) =>
  withoutTags(text)
    .replaceAll(/[\\`*_~<>[\]()#|!]/g, (sign) => `\\${sign}`)
    .replaceAll(/^([+-])/gm, String.raw`\$1`)
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)

const GOOGLE_CHAT: MarkdownDialect = {
  text: googleChatText,
  citation: (index, { url }) => `(${chatLink(url, String(index), { text: googleChatText })})`,
}

/** @param address that an add-on's buttons call; those of a Chat app have a name */
const button = (text: string, parameters: Record<string, string>, address: string | undefined) => ({
  text,
  onClick: {
    action: {
      function: address ?? 'citewell',
      parameters: Object.entries(parameters).map(([key, value]) => ({ key, value })),
    },
  },
})

function buttonsOf(messageId: string, offersPerson: boolean, address: string | undefined): object[] {
  const buttons = [
    button('👍', { act: 'up', of: messageId }, address),
    button('👎', { act: 'down', of: messageId }, address),
    ...(offersPerson ? [button('Get a person', { act: 'person' }, address)] : []),
  ]
  return [{ buttonList: { buttons } }]
}

/** The same text to the same question is the same post. */
export const requestIdOf = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** The messages of an answer as Markdown, in the thread of the question; sources and buttons under the last. */
export function renderForGoogleChat(
  { markdown, citations, messageId, offersPerson = false }: ShownAnswer,
  { space = '', thread, asked = '', address }: ReplyPlace,
): GoogleChatPost[] {
  const blocks = [...chatMarkdown(markdown, citations, GOOGLE_CHAT), ...sourcesBlock(citations, GOOGLE_CHAT)]
  const all = packBlocks(
    // Code, too: whether Google Chat looks for mentions there is not said.
    blocks.map((block) => block.replaceAll('<users/', '<\u200Busers/')),
    MAX_TEXT,
  )
  const texts = all.length === 0 ? ['…'] : all.slice(0, MAX_MESSAGES)
  if (all.length > MAX_MESSAGES) texts[MAX_MESSAGES - 1] = `*${LEFT_OUT}*`
  return texts.map((text, at) => ({
    space,
    thread,
    request_id: requestIdOf(space, asked, String(at), text),
    message: {
      text,
      markupSyntax: 'MARKUP_SYNTAX_MARKDOWN',
      accessoryWidgets:
        at === texts.length - 1 && messageId !== undefined ? buttonsOf(messageId, offersPerson, address) : [],
    },
  }))
}
