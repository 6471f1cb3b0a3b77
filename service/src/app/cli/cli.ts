import { parseArgs } from 'node:util'
import { DirectoryInUse } from '../../platform/storage/embedded/directory-lock.ts'
import { SettingsFault } from '../read-environment.ts'
import { readSettings } from '../settings.ts'
import { askCommand } from './ask.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { evalCommand } from './eval.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve.ts'
import { setPasswordCommand } from './set-password.ts'
import { syncCommand } from './sync.ts'
import { createTerminal, type Terminal, type TerminalStreams } from './terminal.ts'
import { tokenCommand } from './token.ts'
import { upCommand } from './up.ts'

const COMMANDS: Record<string, Command> = {
  up: upCommand,
  serve: serveCommand,
  sync: syncCommand,
  ask: askCommand,
  search: searchCommand,
  eval: evalCommand,
  token: tokenCommand,
  'set-password': setPasswordCommand,
  doctor: doctorCommand,
}

const COMMON = {
  json: { type: 'boolean', about: 'results as JSON on stdout, and nothing else' },
  'no-color': { type: 'boolean', about: 'no colours (also: NO_COLOR)' },
  url: { type: 'string', about: 'talk to the service at this address (also: CITEWELL_URL)' },
  token: { type: 'string', about: 'access token for it (also: CITEWELL_TOKEN)' },
  help: { type: 'boolean', about: 'this text' },
} as const

export interface CliInput {
  words: readonly string[]
  environment: Record<string, string | undefined>
  streams: TerminalStreams
  signal: AbortSignal
}

/** Runs one command, and gives its exit code. Faults become a sentence, a hint, and a code: never a stack. */
export async function runCli({ words, environment, streams, signal }: CliInput): Promise<number> {
  const [name = 'help', ...rest] = words
  const wantsJson = rest.includes('--json')
  const terminal = createTerminal(streams, {
    isJson: wantsJson,
    hasColor: !environment['NO_COLOR'] && !rest.includes('--no-color'),
    isCi: environment['CI'] !== undefined && environment['CI'] !== '',
    isDumb: environment['TERM'] === 'dumb',
  })
  const command = COMMANDS[name]
  if (command === undefined) {
    terminal.result(overview())
    if (name === 'help' || name === '--help' || name === '-h') return EXIT.ok
    terminal.note(`\nThere is no command "${name}".`)
    return EXIT.usage
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries({ ...COMMON, ...command.options }).map(([option, { type }]) => [option, { type }]),
      ),
    })
    if (values['help'] === true) {
      terminal.result(helpOf(name, command))
      return EXIT.ok
    }
    const options = {
      url: environment['CITEWELL_URL'],
      token: environment['CITEWELL_TOKEN'],
      ...(values as Record<string, string | boolean | undefined>),
    }
    return await command.run({
      words: positionals,
      options,
      settings: readSettings(environment),
      terminal,
      signal,
    })
  } catch (error) {
    terminal.endProgress()
    if (signal.aborted) return EXIT.interrupted
    return tell(terminal, faultOf(error, name))
  }
}

function faultOf(error: unknown, name: string): CommandFailure {
  if (error instanceof CommandFailure) return error
  if (error instanceof SettingsFault) return new CommandFailure(EXIT.validation, error.message)
  if (error instanceof DirectoryInUse) return new CommandFailure(EXIT.error, error.message)
  if (isUsageFault(error))
    return new CommandFailure(EXIT.usage, error.message, { hint: `citewell ${name} --help` })
  const because = error instanceof Error ? error.message : String(error)
  return new CommandFailure(EXIT.error, because, { hint: 'citewell doctor' })
}

const isUsageFault = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

function tell(terminal: Terminal, fault: CommandFailure): number {
  if (terminal.isJson) {
    terminal.json({
      error: fault.message,
      ...(fault.requestId !== undefined && { request_id: fault.requestId }),
    })
    return fault.exitCode
  }
  terminal.note(`${terminal.style.fault('✗')} ${fault.message}`)
  if (fault.hint !== undefined) terminal.note(`  Try: ${fault.hint}`)
  if (fault.requestId !== undefined) terminal.note(terminal.style.dim(`  Request ${fault.requestId}`))
  return fault.exitCode
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const lines = Object.entries(COMMANDS).map(
    ([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`,
  )
  return ['citewell COMMAND', '', ...lines, '', 'citewell COMMAND --help tells its options.'].join('\n')
}

function helpOf(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON })
  const width = Math.max(...options.map(([option]) => option.length))
  return [
    `citewell ${name} ${command.usage}`.trim(),
    '',
    command.summary,
    '',
    ...options.map(([option, { about }]) => `  --${option.padEnd(width)}  ${about}`),
  ].join('\n')
}
