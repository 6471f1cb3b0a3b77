import { parseArgs } from 'node:util'
import { nearestWord } from '../nearest-word.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'

export type OptionTable = Command['options']

/** Options that every command takes. */
export const COMMON: OptionTable = {
  json: { type: 'boolean', about: 'results as JSON on stdout, and nothing else' },
  'no-color': { type: 'boolean', about: 'no colours (also: NO_COLOR)' },
  url: { type: 'string', about: 'talk to the service at this address (also: CITEWELL_URL)' },
  token: { type: 'string', about: 'access token for it (also: CITEWELL_TOKEN)' },
  help: { type: 'boolean', about: 'this text (also: -h)' },
}

/** The name of the command among the words, and all the others: options may stand before it. */
export function findCommand(words: readonly string[], options: OptionTable): [string | undefined, string[]] {
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? ''
    if (word === '--') break
    if (!word.startsWith('-')) return [word, words.toSpliced(place, 1)]
    if (options[word.slice(2)]?.type === 'string') place += 1
  }
  return [undefined, [...words]]
}

export interface ReadWords {
  values: Record<string, string | boolean | undefined>
  positionals: string[]
}

/**
 * Options and other words of a command.
 *
 * @throws CommandFailure with what is wrong, and what there is instead
 */
export function readWords(name: string, words: readonly string[], own: OptionTable): ReadWords {
  const table: OptionTable = { ...own, ...COMMON }
  const usage = (message: string) =>
    new CommandFailure(EXIT.usage, message, { hint: `citewell ${name} --help` })
  const { tokens } = parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: {
      ...Object.fromEntries(Object.entries(table).map(([option, { type }]) => [option, { type }])),
      help: { type: 'boolean', short: 'h' },
    },
  })
  const read: ReadWords = { values: {}, positionals: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') read.positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(table, token.name) ? table[token.name] : undefined
    if (option === undefined) throw usage(unknownOption(name, token.rawName, table))
    if (option.type === 'boolean') {
      if (token.value !== undefined) throw usage(`--${token.name} takes no value.`)
      read.values[token.name] = true
    } else {
      const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))
      if (isMissing) throw usage(`--${token.name} needs a value: ${option.about}.`)
      read.values[token.name] = token.value
    }
  }
  return read
}

function unknownOption(name: string, written: string, table: OptionTable): string {
  const all = Object.keys(table)
  const meant = nearestWord(written.replace(/^-+/, ''), all)
  const instead =
    meant === undefined
      ? `It has ${all.map((option) => `--${option}`).join(', ')}.`
      : `Did you mean --${meant}?`
  return `${name} has no option ${written}. ${instead}`
}
