import { nearestWord } from '../nearest-word.ts'
import { readSettings, type Settings } from '../settings.ts'
import { unknownSettings } from '../unknown-settings.ts'
import { VERSION } from '../version.ts'
import { askCommand } from './ask.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { deleteCommand } from './delete.ts'
import { doctorCommand } from './doctor.ts'
import { evalCommand } from './eval.ts'
import { helpOf, overview } from './help.ts'
import { listCommand } from './list.ts'
import { moveCommand } from './move.ts'
import { COMMON, findCommand, readWords } from './read-words.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve.ts'
import { setPasswordCommand } from './set-password.ts'
import { syncCommand } from './sync.ts'
import { faultOf, tellFault } from './tell-fault.ts'
import { createTerminal, type Terminal, type TerminalStreams } from './terminal.ts'
import { tokenCommand } from './token.ts'
import { commandTyper } from './typed-command.ts'
import { upCommand } from './up.ts'
import { workspaceCommand } from './workspace.ts'

const COMMANDS: Record<string, Command> = {
  up: upCommand,
  serve: serveCommand,
  list: listCommand,
  sync: syncCommand,
  delete: deleteCommand,
  ask: askCommand,
  search: searchCommand,
  eval: evalCommand,
  token: tokenCommand,
  'set-password': setPasswordCommand,
  workspace: workspaceCommand,
  move: moveCommand,
  doctor: doctorCommand,
}

const ALL_OPTIONS = Object.assign({}, ...Object.values(COMMANDS).map(({ options }) => options), COMMON)

export interface CliInput {
  words: readonly string[]
  environment: Record<string, string | undefined>
  streams: TerminalStreams
  signal: AbortSignal
  /** The file that was started. */
  program?: string | undefined
}

/** Runs one command, and gives its exit code. Faults become a sentence, a hint, and a code: never a stack. */
export async function runCli({ words, environment, streams, signal, program }: CliInput): Promise<number> {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const terminal = createTerminal(streams, {
    isJson: options.includes('--json'),
    hasColor: !environment['NO_COLOR'] && !options.includes('--no-color'),
    isCi: environment['CI'] !== undefined && environment['CI'] !== '',
    isDumb: environment['TERM'] === 'dumb',
  })
  const typed = commandTyper(environment, program)
  let settings: Settings | undefined
  try {
    const [name, rest] = findCommand(words, ALL_OPTIONS)
    if (name === undefined) return tellGeneral(terminal, rest)
    if (name === 'help') return tellHelp(terminal, readWords('help', rest, {}).positionals)
    if (name === 'version') return tellVersion(terminal)
    const command = commandNamed(name)
    const { values, positionals } = readWords(name, rest, command.options)
    if (values['help'] === true) return tellHelp(terminal, [name])
    settings = readSettings(environment)
    for (const line of unknownSettings(environment)) terminal.note(`Note: ${line}`)
    return await command.run({
      words: positionals,
      options: { url: environment['CITEWELL_URL'], token: environment['CITEWELL_TOKEN'], ...values },
      settings,
      terminal,
      signal,
      typed,
    })
  } catch (error) {
    terminal.endProgress()
    if (signal.aborted) return EXIT.interrupted
    return tellFault(terminal, typed, await faultOf(error, settings))
  }
}

/** There is no command among the words. */
function tellGeneral(terminal: Terminal, words: readonly string[]): number {
  if (words.some((word) => word === '--version' || word === '-v')) return tellVersion(terminal)
  const { positionals } = readWords('citewell', words, {})
  if (positionals.length > 0) throw noCommand(positionals[0] ?? '')
  return tellHelp(terminal, [])
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw noCommand(name)
  return command
}

function noCommand(name: string): CommandFailure {
  const meant = nearestWord(name, [...Object.keys(COMMANDS), 'help', 'version'])
  return new CommandFailure(
    EXIT.usage,
    `There is no command "${name}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    { hint: 'citewell help' },
  )
}

function tellHelp(terminal: Terminal, [name]: readonly string[]): number {
  const text = name === undefined || name === 'help' ? overview(COMMANDS) : helpOf(name, commandNamed(name))
  if (terminal.isJson) terminal.json({ help: text })
  else terminal.result(text)
  return EXIT.ok
}

function tellVersion(terminal: Terminal): number {
  if (terminal.isJson) terminal.json({ version: VERSION })
  else terminal.result(VERSION)
  return EXIT.ok
}
