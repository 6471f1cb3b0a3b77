import { LIMITS } from '@citewell/contract/limits'
import { truncateText } from '../../kernel/cut-text.ts'
import { isUuid } from '../../kernel/ids.ts'
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

export const PERSON_SETTINGS = [
  {
    name: 'person_channel',
    description:
      'The id of a channel: whoever asks for a person is passed on there, once for each conversation. The bot must be in it.',
  },
  {
    name: 'person_helpdesk',
    description:
      'Instead of a channel, the id of a help-desk integration of this knowledge base: a ticket is opened there. Request Tracker and Zendesk can do so.',
  },
] as const

/** The longest answer of a turn that is passed on. */
const MAX_ANSWER = 1_500
const MAX_QUESTION = 1_000
const MOST_TURNS = 5

export const PASSED_ON = 'I have passed this on to the team. Somebody will answer here.'
export const PASSED_ON_BEFORE = 'The team has been told already. Somebody will answer here.'
export const NOBODY = 'Nobody is set up here to take over. Please ask your team directly.'

/** A conversation for the person who takes over, as Markdown. Words of people are no markup. */
export function transcriptOf(
  turns: readonly { query: string; answer: string }[],
  link: string | undefined,
): string {
  const address = link === undefined ? undefined : markdownAddress(link)
  const head =
    address === undefined
      ? '**Somebody asks for a person.**'
      : `**Somebody asks for a person:** [open the conversation](${address})`
  const shown = turns
    .slice(-MOST_TURNS)
    .flatMap(({ query, answer }) => [
      `> ${markdownName(truncateText(query, Math.min(MAX_QUESTION, LIMITS.query)))}`,
      truncateText(answer, MAX_ANSWER),
    ])
  return [head, ...shown].join('\n\n')
}
