import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalPathRefused, type LocalPaths, type LocalPlace } from '../../../platform/files/local-paths.ts'
import { SourceFailure } from '../connector.ts'
import { readHandle } from './read-handle.ts'

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const NAME = /^refs\/[\w@][\w@./+#{}%=,!-]*$/

/** Whether git accepts it as the name of a branch or tag; git stops with an error at others. */
const isName = (name: string) =>
  NAME.test(name) && !/\.\.|\/\/|\/\.|@\{|[./]$|\.lock(?:\/|$)/.test(name) && name.length <= 1_000

const MAX_REFS = 200_000
const MAX_SMALL_BYTES = 65_536
const MAX_PACKED_BYTES = 33_554_432

/** The refs of a repository that is not trusted: where HEAD is, its branches and tags, where its history was cut. */
export interface UntrustedRefs {
  /** A hash, or the name of a branch. */
  head: string
  hashes: Map<string, string>
  shallow: string[]
}

/** The text of a small file of a git folder; undefined if it is missing. */
export async function readSmall(
  localPaths: LocalPaths,
  folder: LocalPlace,
  name: string,
  signal: AbortSignal,
  mostBytes = MAX_SMALL_BYTES,
): Promise<string | undefined> {
  const opened = await localPaths.openFile(folder, join(folder.path, name)).catch((error: unknown) => {
    if (error instanceof LocalPathRefused) throw error
    return undefined
  })
  if (opened === undefined) return undefined
  return new TextDecoder().decode(await readHandle(opened, { mostBytes, signal }))
}

/** Reads branches and tags of a git folder as plain files. Git itself is never run there: it would obey that folder's configuration. */
export async function readUntrustedRefs(
  localPaths: LocalPaths,
  gitFolder: LocalPlace,
  commonFolder: LocalPlace,
  signal: AbortSignal,
): Promise<UntrustedRefs> {
  const values = new Map<string, string>()
  const packed = await readSmall(localPaths, commonFolder, 'packed-refs', signal, MAX_PACKED_BYTES)
  for (const line of (packed ?? '').split('\n')) {
    const [hash = '', name = ''] = line.trim().split(' ')
    if (HASH.test(hash) && isName(name) && !name.startsWith('refs/replace/')) values.set(name, hash)
  }

  async function walk(folder: LocalPlace, base: string): Promise<void> {
    for await (const entry of await opendir(folder.path)) {
      signal.throwIfAborted()
      const name = `${base}/${entry.name}`
      if (values.size > MAX_REFS)
        throw new SourceFailure(`The repository has more than ${MAX_REFS} branches and tags.`)
      if (!isName(name) || name === 'refs/replace') continue
      if (entry.isDirectory()) await walk(await localPaths.enter(folder, join(folder.path, entry.name)), name)
      else if (entry.isFile()) {
        values.set(name, ((await readSmall(localPaths, folder, entry.name, signal)) ?? '').trim())
      }
    }
  }
  const refs = await localPaths.enter(commonFolder, join(commonFolder.path, 'refs'))
  await walk(refs, 'refs')

  /** `ref: refs/heads/main` points to another name. */
  const resolved = (value: string, steps = 0): string | undefined => {
    if (HASH.test(value)) return value
    const next = value.startsWith('ref: ') ? values.get(value.slice(5).trim()) : undefined
    return next === undefined || steps > 5 ? undefined : resolved(next, steps + 1)
  }
  const hashes = new Map<string, string>()
  for (const [name, value] of values) {
    const hash = resolved(value)
    if (hash !== undefined) hashes.set(name, hash)
  }
  const head = ((await readSmall(localPaths, gitFolder, 'HEAD', signal)) ?? '').trim()
  const target = head.startsWith('ref: ') ? head.slice(5).trim() : head
  const shallow = (await readSmall(localPaths, commonFolder, 'shallow', signal, MAX_PACKED_BYTES)) ?? ''
  return {
    head: HASH.test(target) || isName(target) ? target : 'refs/heads/main',
    hashes,
    shallow: shallow.split('\n').filter((line) => HASH.test(line)),
  }
}
