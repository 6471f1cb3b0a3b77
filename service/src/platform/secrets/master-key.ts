import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MASTER_KEY_MIN_CHARACTERS, SealError } from './sealed.ts'

/** In the data directory; readable by its owner only. Restoring a backup of the storage also needs this file. */
export const MASTER_KEY_FILE = 'secret-key'

/**
 * The master keys: those of the setting, comma-separated with the newest first, or one that is generated once in the data directory.
 * Processes on several machines share a storage, so they need the setting.
 */
export function readMasterKeys(setting: string | undefined, dataDirectory: string): [string, ...string[]] {
  const [first, ...older] = (setting ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (first !== undefined) return [first, ...older]
  return [keyOfDirectory(dataDirectory)]
}

function keyOfDirectory(dataDirectory: string): string {
  const file = join(dataDirectory, MASTER_KEY_FILE)
  const known = readKey(file)
  if (known !== undefined) return known
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const made = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(made, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // Unlike a rename, a link fails if another process was first: both then read the same key.
    linkSync(made, file)
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    rmSync(made)
  }
  const key = readKey(file)
  if (key === undefined) throw new SealError(`${file} could not be created`)
  return key
}

function readKey(file: string): string | undefined {
  let text
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  if (text.length < MASTER_KEY_MIN_CHARACTERS) {
    // Generating a new one would make everything sealed unreadable for good.
    throw new SealError(`${file} is truncated: restore the key from a backup`)
  }
  return text
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
