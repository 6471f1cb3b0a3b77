import { StringDecoder } from 'node:string_decoder'
import { runGit, streamGit } from './git.ts'

const TIMEOUT_MS = 30_000

/** Of the history that is looked through. */
const MAX_BYTES = 134_217_728

/** When each of these files was changed last, of the history that is there. A shallow clone has none, and says nothing. */
export async function readModified(
  gitFolder: string,
  commit: string,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, Date>> {
  const modified = new Map<string, Date>()
  const isShallow = await runGit(gitFolder, ['rev-parse', '--is-shallow-repository'], { signal })
  if (isShallow.trim() === 'true') return modified
  let time = new Date(0)
  let bytes = 0
  let rest = ''
  const decoder = new StringDecoder('utf8')
  const command = ['log', '-z', '--format=%x01%ct', '--name-only', '--no-renames', '--no-ext-diff', commit]
  try {
    await streamGit(gitFolder, command, { signal, timeoutMs: TIMEOUT_MS }, (piece) => {
      bytes += piece.length
      const records = (rest + decoder.write(piece)).split('\0')
      rest = (records.pop() ?? '').slice(-8_192)
      for (const record of records) {
        const name = record.replace(/^\n/, '')
        if (name.startsWith('\u0001')) time = new Date(Number(name.slice(1)) * 1_000)
        else if (paths.has(name) && !modified.has(name)) modified.set(name, time)
      }
      return modified.size === paths.size || bytes > MAX_BYTES
    })
  } catch {
    signal.throwIfAborted()
    // Too long a history, or one that is not all there: the files are worth more than their dates.
  }
  return modified
}
