/** `answer` replies, `draft` leaves a note for the team, `observe` posts nothing. */
export type DeskMode = 'answer' | 'draft' | 'observe'

const MODES: readonly unknown[] = ['answer', 'draft', 'observe'] satisfies DeskMode[]

/** Who chats waits for an answer; who sends a ticket may write a second mail at once. */
const DEFAULT_QUIET_SECONDS = { tickets: 30, chats: 3 }
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

const DEFAULT_CLOSING = {
  tickets:
    'This answer was written automatically from our documentation. If it does not help, reply to it: a person will read your message.',
  // The word is one of `asks-for-person.ts`.
  chats: 'This answer was written automatically from our documentation. To talk to a person, reply “person”.',
}

/** What the customer of a chat reads when a person takes over. */
export const TAKES_OVER = 'Somebody of our team will take over here.'

/** What the owner typed; undefined if it is nothing. */
export const settingText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_TEXT) : undefined

function quietSeconds(value: unknown, usual: number): number {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof given === 'number' && Number.isFinite(given)
    ? Math.min(Math.max(given, 0), MAX_QUIET_SECONDS)
    : usual
}

export function readDeskSettings(
  config: Record<string, unknown>,
  handles: 'tickets' | 'chats',
): DeskSettings {
  const mode = config['mode'] ?? 'answer'
  return {
    // A mode that is not known must not speak to customers.
    mode: MODES.includes(mode) ? (mode as DeskMode) : 'observe',
    quietMs: quietSeconds(config['quiet_seconds'], DEFAULT_QUIET_SECONDS[handles]) * 1_000,
    handOverTo: settingText(config['hand_over_to']),
    closing: settingText(config['closing']) ?? DEFAULT_CLOSING[handles],
  }
}

export function* settingProblems(config: Record<string, unknown>): Generator<string> {
  const mode = config['mode'] ?? 'answer'
  if (!MODES.includes(mode)) yield 'The setting mode is not answer, draft or observe: nothing is posted.'
}

export const DESK_SETTINGS = {
  mode: 'answer (the usual): customers get the answers. draft: your team gets them as internal notes. observe: nothing is posted.',
  quiet_seconds:
    'How long a customer has to be quiet before the answer: 30 for tickets, 3 for chats, at most 600.',
  closing: 'The sentence below each answer.',
} as const
