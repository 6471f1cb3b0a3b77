import type { Settings } from '../settings.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes, the same for every command. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  permission: 4,
  validation: 5,
  findings: 6,
  interrupted: 130,
} as const

/** A fault of one field, as the API tells it. */
export interface FaultDetail {
  path: string
  message: string
}

interface MoreOfFailure {
  /** What to do next; one that begins with `citewell` is a command, and is printed as this person calls it. */
  hint?: string
  code?: string
  details?: FaultDetail[]
  requestId?: string
}

/** A command ends early, with this code, and tells the person why and what to do next. */
export class CommandFailure extends Error {
  readonly exitCode: number
  readonly more: MoreOfFailure

  constructor(exitCode: number, message: string, more: MoreOfFailure = {}) {
    super(message)
    this.name = 'CommandFailure'
    this.exitCode = exitCode
    this.more = more
  }
}

export interface CommandInput {
  /** Words after the command's name that are not options. */
  words: string[]
  options: Record<string, string | boolean | undefined>
  settings: Settings
  terminal: Terminal
  /** Ends when the person presses Ctrl+C, or the process is asked to stop. */
  signal: AbortSignal
  /** A command as this person has to type it: `typed('ask "…"')` is `npx citewell ask "…"`. */
  typed(command: string): string
}

export interface Command {
  /** What follows the name, e.g. `"question" [--kb NAME]`. */
  usage: string
  summary: string
  options: Record<string, { type: 'string' | 'boolean'; about: string }>
  /** Environment variables that matter to it, and what they do. */
  environment?: Record<string, string>
  run(input: CommandInput): Promise<number>
}
