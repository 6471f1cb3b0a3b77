import { LIMITS } from '@citewell/contract/limits'
import { expect, test } from 'vitest'
import { isAutomaticMail } from '../../kernel/automatic-mail.ts'
import { ownWords } from '../../kernel/own-words.ts'
import { decideDeskStep } from './desk-rules.ts'
import type { DeskMode } from './desk-settings.ts'
import type { DeskAuthor, DeskMessage, DeskTicket } from './help-desk.ts'
import { textOfHtml } from '../../kernel/text-of-html.ts'
import { withSentDrafts } from './sent-drafts.ts'

const said = (by: DeskAuthor, text = 'How?', given: Partial<DeskMessage> = {}): DeskMessage => ({
  id: '1',
  by,
  text,
  isInternal: false,
  isAutomatic: false,
  ...given,
})
const read = (...messages: DeskMessage[]): DeskTicket => ({
  subject: 'Help',
  messages,
  isOpen: true,
  isOurs: true,
  etag: '1',
})
const chat = (answers: number) => ({
  status: answers === 0 ? ('open' as const) : ('answered' as const),
  answers_given: answers,
})

test('a chat gets five answers, then a person; whoever asks for a person gets one, in words and not by a guess', () => {
  const asked = read(said('customer'), said('us'), said('customer', 'And then?'))
  expect(decideDeskStep('chats', chat(LIMITS.turnCap - 1), asked)).toMatchObject({ body: 'And then?' })
  expect(decideDeskStep('chats', chat(LIMITS.turnCap), asked)).toEqual({ do: 'escalate', reason: 'turn_cap' })
  expect(decideDeskStep('chats', chat(1), read(said('customer', 'Talk to a person!')))).toEqual({
    do: 'escalate',
    reason: 'customer_asked',
  })
  const question = read(said('customer', 'How do I talk to a person in the API?'))
  expect(decideDeskStep('chats', chat(1), question)).toMatchObject({ do: 'answer' })
})

test('a post that was not confirmed is confirmed by what is there, and otherwise given up; nothing is decided while it is open', () => {
  const unsure = { status: 'unsure' as const, answers_given: 0 }
  expect(decideDeskStep('tickets', unsure, read(said('customer'), said('us')))).toEqual({ do: 'confirm' })
  expect(decideDeskStep('tickets', unsure, read(said('customer')))).toEqual({ do: 'give_up' })
  const note = said('us', 'Draft', { isInternal: true })
  expect(decideDeskStep('tickets', unsure, read(said('customer'), note))).toEqual({ do: 'give_up' })
  const posting = { ...unsure, status: 'posting' as const }
  expect(decideDeskStep('tickets', posting, read(said('customer')))).toEqual({ do: 'leave' })
})

test('what there is in our name beyond what was posted is of the person who sent a draft, whichever mode is set', () => {
  const all = read(
    said('customer'),
    said('us', 'A note', { isInternal: true }),
    said('us', 'An answer'),
    said('customer'),
    said('us', 'A draft, which was sent'),
  )
  const authors = (status: 'open' | 'answered' | 'posting' | 'unsure', answers: number, mode: DeskMode) =>
    withSentDrafts({ status, answers_given: answers }, mode, all).messages.map(({ by }) => by)
  const both = ['customer', 'us', 'us', 'customer', 'us']
  const one = ['customer', 'us', 'us', 'customer', 'team']
  const none = ['customer', 'us', 'team', 'customer', 'team']
  for (const mode of ['answer', 'draft', 'observe'] as const) {
    expect(authors('answered', 2, mode)).toEqual(both)
    expect(authors('answered', 1, mode)).toEqual(one)
    expect(authors('open', 0, mode)).toEqual(none)
  }
  // It may be there, and does not count yet. A draft never does.
  expect(authors('posting', 0, 'answer')).toEqual(one)
  expect(authors('unsure', 1, 'answer')).toEqual(both)
  expect(authors('unsure', 0, 'draft')).toEqual(none)
})

test.each([
  ['Auto-Submitted: auto-generated', true],
  ['Auto-Submitted: no', false],
  ['Subject: x\nPrecedence: bulk', true],
  ['List-Id: <all.example>', true],
  ['Return-Path: <>', true],
  ['From: MAILER-DAEMON@example.com', true],
  ['X-Auto-Response-Suppress: All', true],
  ['__proto__: x\nconstructor: y', false],
  ['From: Ada <ada@example.com>\nSubject: auto-submitted: yes', false],
])('mail with %j is a program’s: %s', (headers, isAutomatic) => {
  expect(isAutomaticMail(headers)).toBe(isAutomatic)
})

test.each([
  ['How?\n\nOn Mon, 2 Nov 2026, Bob wrote:\n> old', 'How?'],
  ['Wie?\n-- \nAda', 'Wie?'],
  ['> quoted\nanswer below', 'answer below'],
  ['A\n----- Original Message -----\nB', 'A'],
  ['a -- b\n--flag is not one', 'a -- b\n--flag is not one'],
])('of %j the customer’s own words are %j', (text, own) => {
  expect(ownWords(text)).toBe(own)
})

test('a mail that is HTML is read as its words, whatever is in it, in time that grows with its length', () => {
  const html =
    '<style>p{}</style><p>How &amp; when?</p><blockquote>old<br>older</blockquote><script>1<2</script>'
  expect(ownWords(textOfHtml(html))).toBe('How & when?')
  // Letters that are longer in lower case.
  expect(ownWords(textOfHtml(`${'İ'.repeat(9)}<P>Nasıl?</P><BLOCKQUOTE>old</BLOCKQUOTE>`))).toBe(
    `${'İ'.repeat(9)}\nNasıl?`,
  )
  expect(textOfHtml('<'.repeat(100_000))).toHaveLength(100_000)
  expect(textOfHtml('<script>'.repeat(20_000)).trim()).toBe('')
})
