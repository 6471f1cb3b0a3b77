import { LIMITS } from '@citewell/contract/limits'
import { ownWords } from '../../kernel/own-words.ts'
import type { DeskMessage } from './help-desk.ts'

/** What several messages ask together, within what a ticket may have. */
export const wordsOfCustomer = (messages: readonly DeskMessage[]): string =>
  messages
    .map(({ text }) => ownWords(text.slice(0, LIMITS.ticketText)))
    .filter((words) => words !== '')
    .join('\n\n')
    .slice(0, LIMITS.ticketText)

/** At least one letter or digit of any script: a mail with nothing but a signature asks nothing. */
export const isWorthAnswering = (words: string): boolean => /[\p{L}\p{N}]/u.test(words)
