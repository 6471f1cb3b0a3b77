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

/** Sentences of customers who want a person. Only whole messages count: no model decides it, and no question is taken for one. */
const WANTS_PERSON = new Set([
  'agent',
  'human',
  'human please',
  'person',
  'talk to a person',
  'talk to a human',
  'talk to an agent',
  'speak to a person',
  'speak to a human',
  'i want to talk to a person',
  'i want to talk to a human',
  'i want a person',
  'get a person',
  'real person',
  'mensch',
  'mit einem menschen sprechen',
  'ich möchte mit einem menschen sprechen',
  'mitarbeiter',
  'parler à un humain',
  'je veux parler à une personne',
  'humain',
  'hablar con una persona',
  'quiero hablar con una persona',
  'persona',
])

export const asksForPerson = (words: string): boolean =>
  WANTS_PERSON.has(
    words
      .toLowerCase()
      .replaceAll(/[!.,?¡¿]/g, '')
      .trim(),
  )
