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

/** A command ends early, with this code, and tells the person why and what to do next. */
export class CommandFailure extends Error {
  readonly exitCode: number
  readonly hint: string | undefined
  readonly requestId: string | undefined

  constructor(exitCode: number, message: string, more: { hint?: string; requestId?: string } = {}) {
    super(message)
    this.name = 'CommandFailure'
    this.exitCode = exitCode
    this.hint = more.hint
    this.requestId = more.requestId
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
}

export interface Command {
  /** What follows the name, e.g. `"question" [--kb NAME]`. */
  usage: string
  summary: string
  options: Record<string, { type: 'string' | 'boolean'; about: string }>
  run(input: CommandInput): Promise<number>
}
