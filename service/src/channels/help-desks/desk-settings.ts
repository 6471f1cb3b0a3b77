/** `answer` replies, `draft` leaves a note for the team, `observe` posts nothing. */
export type DeskMode = 'answer' | 'draft' | 'observe'

const MODES: readonly string[] = ['answer', 'draft', 'observe'] satisfies DeskMode[]

const DEFAULT_QUIET_SECONDS = 30
const MAX_QUIET_SECONDS = 600
const MAX_TEXT = 1_000

/** What the owner sets the same way for every help desk. */
export interface DeskSettings {
  mode: DeskMode
  /** How long a customer has to be quiet before the ticket is answered, in milliseconds. */
  quietMs: number
  /** The queue, group or person that takes over; undefined: the ticket stays where it is. */
  handOverTo: string | undefined
  /** The end of each answer. */
  closing: string
}

const DEFAULT_CLOSING =
  'This answer was written automatically from our documentation. If it does not help, reply to it: a person will read your message.'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_TEXT) : undefined

function quietSeconds(value: unknown): number {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof given === 'number' && Number.isFinite(given)
    ? Math.min(Math.max(given, 0), MAX_QUIET_SECONDS)
    : DEFAULT_QUIET_SECONDS
}

export function readDeskSettings(config: Record<string, unknown>): DeskSettings {
  const mode = config['mode'] ?? 'answer'
  return {
    // A mode that is not known must not speak to customers.
    mode: MODES.includes(String(mode)) ? (mode as DeskMode) : 'observe',
    quietMs: quietSeconds(config['quiet_seconds']) * 1_000,
    handOverTo: textOf(config['hand_over_to']),
    closing: textOf(config['closing']) ?? DEFAULT_CLOSING,
  }
}

export function* settingProblems(config: Record<string, unknown>): Generator<string> {
  const mode = config['mode'] ?? 'answer'
  if (!MODES.includes(String(mode)))
    yield 'The setting mode is not answer, draft or observe: nothing is posted.'
}

export const DESK_SETTINGS = [
  {
    name: 'mode',
    description:
      'answer (the usual): customers get the answers. draft: your team gets them as internal notes. observe: nothing is posted.',
  },
  {
    name: 'quiet_seconds',
    description: 'How long a customer has to be quiet before the ticket is answered: 30, at most 600.',
  },
  { name: 'closing', description: 'The sentence below each answer.' },
] as const
