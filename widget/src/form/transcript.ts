import type { DeflectionDone } from '@citewell/sdk'
import type { FormText } from './form-fields.ts'

/** One line of Markdown, without what could end a link. */
const line = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, '\\$&')

/** What was asked and answered, as Markdown for the people who get the ticket. */
export const transcriptOf = ({ subject, body }: FormText, { text, citations }: DeflectionDone): string =>
  [
    `**Question**\n\n${[subject, body].filter((part) => part !== '').join('\n\n')}`,
    `**Answer**\n\n${text}`,
    ...citations.map(({ index, title, url }) => `[${index}] [${line(title)}](${url})`),
  ].join('\n\n')
