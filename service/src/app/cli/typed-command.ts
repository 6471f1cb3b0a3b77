import { basename } from 'node:path'
import { oneLine } from './printable.ts'

/**
 * How the person at the terminal calls this program: from its folder with `npx citewell` or `npm start --`, or by its name where it is
 * on the path.
 */
export function commandTyper(
  environment: Readonly<Record<string, string | undefined>>,
  program: string | undefined,
): (command: string) => string {
  const isStarted = environment['npm_lifecycle_event'] === 'start'
  const isOnPath =
    environment['npm_command'] === undefined && basename(program ?? '').replace(/\.js$/, '') === 'citewell'
  return (command) => {
    if (isStarted && command.startsWith('up')) return `npm start --${command.slice('up'.length)}`
    return `${isOnPath ? 'citewell' : 'npx citewell'} ${command}`
  }
}

/** A name as a shell takes it for one word. */
export const shellWord = (text: string) =>
  /^[\w.:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * A record as a command may name it in a line that people copy: by its name, or by its id where the name has characters that a terminal
 * would not show as they are.
 */
export const namedForShell = ({ id, name }: { id: string; name: string }) =>
  oneLine(name) === name ? shellWord(name) : id
