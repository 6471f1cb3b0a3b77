import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { streamGit } from './git.ts'

const TIMEOUT_MS = 30_000

/** Maximum output of `git log` to read. */
const MAX_BYTES = 134_217_728

/** When each of these files was last changed, according to the available history. A shallow clone has none, and gives no dates. */
export async function readModified(
  gitFolder: string,
  commit: string,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, Date>> {
  const modified = new Map<string, Date>()
  if (existsSync(join(gitFolder, 'shallow'))) return modified
  let time = new Date(0)
  let bytes = 0
  let rest = ''
  const decoder = new StringDecoder('utf8')
  const command = [
    'log',
    '-z',
    '--format=%x01%ct',
    '--name-only',
    '--no-renames',
    '--no-ext-diff',
    '--end-of-options',
    commit,
    '--',
  ]
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
    // The history is too long, or incomplete: read the files without dates.
  }
  return modified
}
