import type { Command } from './command.ts'
import { COMMON } from './read-words.ts'

const MORE_SETTINGS = 'All settings: docs/guide/running.md'

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
}

export const overview = (commands: Readonly<Record<string, Command>>) =>
  [
    'citewell COMMAND',
    '',
    ...columns(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    '',
    'citewell COMMAND --help tells its options, citewell --version the version.',
  ].join('\n')

export function helpOf(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON })
  const environment = Object.entries(command.environment ?? {})
  return [
    `citewell ${name} ${command.usage}`.trim(),
    '',
    command.summary,
    '',
    ...columns(options.map(([option, { about }]) => [`--${option}`, about])),
    ...(environment.length === 0
      ? []
      : ['', 'Settings, as environment variables:', ...columns(environment), `  ${MORE_SETTINGS}`]),
  ].join('\n')
}
