import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../kernel/json.ts'

/** In the data directory, where whoever runs the service alone can write: nothing that is asked over HTTP changes it. */
const NAMED_FOLDERS_FILE = 'named-folders.json'

const Named = z.array(z.string())

/** Folders and files that were named on the command line, by whoever runs the service, up to now. */
export function readNamedFolders(dataDirectory: string): string[] {
  try {
    const named = Named.safeParse(parseJson(readFileSync(join(dataDirectory, NAMED_FOLDERS_FILE), 'utf8')))
    return named.success ? named.data : []
  } catch {
    return []
  }
}

/** Lets sources read a folder, or file, from now on: at this start of `citewell up` and at later ones. */
export function nameFolder(dataDirectory: string, path: string): void {
  const known = readNamedFolders(dataDirectory)
  const full = resolve(path)
  if (known.includes(full)) return
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const file = join(dataDirectory, NAMED_FOLDERS_FILE)
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, `${JSON.stringify([...known, full], null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}
