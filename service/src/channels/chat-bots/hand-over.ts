import { LIMITS } from '@citewell/contract/limits'
import { truncateText } from '../../kernel/cut-text.ts'
import { isUuid } from '../../kernel/ids.ts'
import { oneLine } from '../../kernel/one-line.ts'
import { markdownAddress, markdownName } from '../../kernel/markdown-name.ts'

/** Who is told when somebody asks a bot for a person. */
export type PersonTarget = { channel: string } | { helpdeskId: string }

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, 200) : '')

/** What the owner chose; undefined: nobody. A channel comes before a help desk. */
export function personTargetOf(config: Record<string, unknown>): PersonTarget | undefined {
  const channel = textOf(config['person_channel'])
  if (channel !== '') return { channel }
  const helpdeskId = textOf(config['person_helpdesk'])
  return isUuid(helpdeskId) ? { helpdeskId } : undefined
}

/** What is wrong with the choice of who is told. */
export function* personProblems(
  config: Record<string, unknown>,
  { isChannel, opensTickets }: { isChannel: (channel: string) => boolean; opensTickets: boolean },
): Generator<string> {
  const channel = textOf(config['person_channel'])
  if (channel !== '' && !isChannel(channel))
    yield 'The setting person_channel is not the id of a channel of this platform. It is an id, not a name.'
  if (channel === '' && textOf(config['person_helpdesk']) !== '' && !opensTickets)
    yield 'The setting person_helpdesk is not the id of a help-desk integration of this knowledge base that is switched on and can open tickets.'
}

export const PERSON_SETTINGS = {
  person_channel:
    'The id of a channel: whoever asks for a person is passed on there, once for each conversation. The bot must be in it.',
  person_helpdesk:
    'Instead of a channel, the id of a help-desk integration of this knowledge base: a ticket is opened there. Freshdesk, Request Tracker, Zammad and Zendesk can do so.',
} as const

/** The longest answer of a turn that is passed on. */
const MAX_ANSWER = 1_500
const MAX_QUESTION = 1_000
const MOST_TURNS = 5
const MAX_NAME = 80

/** New conversations of one bot that are passed on in an hour. Strangers may press the button of a bot in a public place. */
export const MOST_HAND_OVERS_AN_HOUR = 30

export const TOO_MANY =
  'Too many people ask for a person at the moment. Please try again later, or ask your team directly.'
export const NOT_PASSED_ON = 'I could not reach the team. Please try again later, or ask your team directly.'
export const UNCERTAIN =
  'I tried to pass this on to the team, and do not know whether it arrived. If nobody answers here, please ask your team directly.'
export const PASSED_ON = 'I have passed this on to the team. Somebody will answer here.'
export const PASSED_ON_BEFORE = 'The team has been told already. Somebody will answer here.'
export const NOBODY = 'Nobody is set up here to take over. Please ask your team directly.'

/** A conversation for the person who takes over, as Markdown. Words and names of people are no markup. */
export function transcriptOf(
  turns: readonly { query: string; answer: string }[],
  { link, asker }: { link: string | undefined; asker: string | undefined },
): string {
  const address = link === undefined ? undefined : markdownAddress(link)
  const name = oneLine(asker ?? '', MAX_NAME)
  const who = name === '' ? 'Somebody' : markdownName(name)
  const head =
    address === undefined
      ? `**${who} asks for a person.**`
      : `**${who} asks for a person:** [open the conversation](${address})`
  const shown = turns
    .slice(-MOST_TURNS)
    .flatMap(({ query, answer }) => [
      `> ${markdownName(truncateText(query, Math.min(MAX_QUESTION, LIMITS.query)))}`,
      truncateText(answer, MAX_ANSWER),
    ])
  return [head, ...shown].join('\n\n')
}
