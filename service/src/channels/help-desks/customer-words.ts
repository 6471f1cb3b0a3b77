import { LIMITS } from '@citewell/contract/limits'
import type { DeskMessage } from './help-desk.ts'

/** Where the quotation of an earlier message begins: what follows is not the customer's. */
const QUOTATIONS = [
  // bounded: at most 500 characters
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)/i,
  // bounded: at most 500 characters
  /^on .{5,200} wrote:$/i,
  // bounded: at most 500 characters
  /^am .{5,200} schrieb .{1,200}:$/i,
  // bounded: at most 500 characters
  /^le .{5,200} a écrit ?:$/i,
  // bounded: at most 500 characters
  /^el .{5,200} escribió:$/i,
  // bounded: at most 500 characters
  /^_{10,}$/,
]

const MAX_LINE = 500

/** The customer's own words: without quoted lines, quoted messages and the signature. */
export function ownWords(text: string): string {
  const kept: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    const isSignature = line.trimEnd() === '--' || line === '-- '
    if (isSignature || (trimmed.length <= MAX_LINE && QUOTATIONS.some((begins) => begins.test(trimmed))))
      break
    if (!trimmed.startsWith('>')) kept.push(line)
  }
  return kept.join('\n').trim()
}

/** What several messages ask together, within what a ticket may have. */
export const wordsOfCustomer = (messages: readonly DeskMessage[]): string =>
  messages
    .map(({ text }) => ownWords(text.slice(0, LIMITS.ticketText)))
    .filter((words) => words !== '')
    .join('\n\n')
    .slice(0, LIMITS.ticketText)

/** At least one letter or digit of any script: a mail with nothing but a signature asks nothing. */
export const isWorthAnswering = (words: string): boolean => /[\p{L}\p{N}]/u.test(words)
