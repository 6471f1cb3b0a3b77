import type { Citation } from '@citewell/contract/chat'
import { chatLink, chatMarkdown, type MarkdownDialect } from '../../chat-markdown.ts'

/** Text that Discord shows as it is: no style, mention, emoji, link or heading. */
const discordText = (text: string) =>
  text
    .replaceAll(/[\\`*_~|<>[\]()#:@-]/g, (sign) => `\\${sign}`)
    // A number at the beginning of a line would begin a list.
    .replaceAll(/^(\d{1,9})([.)])/gm, String.raw`$1\$2`)

const DISCORD: MarkdownDialect = {
  text: discordText,
  citation: (index, { url }) => `(${discordLink(url, String(index))})`,
}

/** A link, or the words alone if the address is not one that a reader should follow. */
export function discordLink(url: string, text: string): string {
  return chatLink(url, text, { text: discordText })
}

/** An answer as blocks of Discord's Markdown, with links to what it cites. */
export const markdownForDiscord = (markdown: string, citations: readonly Citation[]): string[] =>
  chatMarkdown(markdown, citations, DISCORD)
