import type { DeflectionDone } from '@citewell/sdk'
import type { FormText } from './form-fields.ts'

/** One line of Markdown, without what could end a link. */
const line = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, '\\$&')

/** An address within the brackets of a link, without what could end it. */
const address = (url: string) =>
  url.replaceAll(/[()<>\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** What was asked and answered, as Markdown for the people who get the ticket. */
export const transcriptOf = (
  { subject, body }: FormText,
  { text, citations }: Pick<DeflectionDone, 'text' | 'citations'>,
): string =>
  [
    `**Question**\n\n${[subject, body].filter((part) => part !== '').join('\n\n')}`,
    `**Answer**\n\n${text}`,
    ...citations.map(({ index, title, url }) => `[${index}] [${line(title)}](${address(url)})`),
  ].join('\n\n')
