import { createWriteStream } from 'node:fs'
import { mkdir, opendir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LocalPathRefused, type LocalPaths, type LocalPlace } from '../../../platform/files/local-paths.ts'
import { SourceFailure } from '../connector.ts'
import type { GitFolders } from './find-git-folder.ts'
import { readUntrustedRefs, readSmall } from './untrusted-refs.ts'
import { MAX_PACK_BYTES } from './git-limits.ts'
import { initRepository } from './init-repository.ts'
import { tooLarge } from './temporary-folder.ts'

const PACK = /^pack-[0-9a-f]{40,64}\.(?:pack|idx)$/
const FAN = /^[0-9a-f]{2}$/
const LOOSE = /^[0-9a-f]{38,62}$/

const MAX_OBJECT_FILES = 500_000

/** Maximum folders that a repository borrows objects from (alternates), each of which may borrow from others. */
const MAX_ALTERNATES = 10

/**
 * Copies a repository on the disk into `folder`, as a repository owned by this service: its objects, branches and tags, and nothing else.
 * Its configuration, hooks, attributes, grafts and replacements are not copied, and neither is a partial-clone setting that would make git
 * fetch objects: what git then does is decided here alone.
 */
export async function copyRepository(
  folders: GitFolders,
  given: { folder: string; localPaths: LocalPaths; signal: AbortSignal },
): Promise<void> {
  const { folder, localPaths, signal } = given
  const refs = await readUntrustedRefs(localPaths, folders.gitFolder, folders.commonFolder, signal)
  const hashes = [...refs.hashes.values(), refs.head]
  const format = hashes.some((hash) => /^[0-9a-f]{64}$/.test(hash)) ? 'sha256' : 'sha1'
  await initRepository(folder, { head: refs.head, format })
  const packed = [...refs.hashes].map(([name, hash]) => `${hash} ${name}\n`)
  await writeFile(join(folder, 'packed-refs'), packed.join(''))
  if (refs.shallow.length > 0) await writeFile(join(folder, 'shallow'), `${refs.shallow.join('\n')}\n`)

  let files = 0
  let bytes = 0
  const made = new Set<string>()

  async function copy(from: LocalPlace, below: string, name: string): Promise<void> {
    signal.throwIfAborted()
    const { handle, stats } = await localPaths.openFile(from, join(from.path, name))
    files += 1
    bytes += stats.size
    if (files > MAX_OBJECT_FILES || bytes > MAX_PACK_BYTES) {
      await handle.close()
      throw tooLarge()
    }
    const target = join(folder, 'objects', below)
    if (!made.has(target)) await mkdir(target, { recursive: true })
    made.add(target)
    // Not past the size at opening: the file may grow meanwhile.
    const reading = handle.createReadStream({ end: Math.max(stats.size - 1, 0) })
    await pipeline(reading, createWriteStream(join(target, name)), { signal })
  }

  async function copyAll(from: LocalPlace, below: string, names: RegExp): Promise<void> {
    for await (const entry of await opendir(from.path)) {
      if (entry.isFile() && names.test(entry.name)) await copy(from, below, entry.name)
    }
  }

  async function copyObjects(objects: LocalPlace, borrowed: Set<string>): Promise<void> {
    if (borrowed.has(objects.path)) return
    borrowed.add(objects.path)
    if (borrowed.size > MAX_ALTERNATES)
      throw new SourceFailure('The repository borrows objects from too many others.')
    for await (const entry of await opendir(objects.path)) {
      signal.throwIfAborted()
      if (!entry.isDirectory() || (entry.name !== 'pack' && !FAN.test(entry.name))) continue
      const below = await localPaths.enter(objects, join(objects.path, entry.name))
      await copyAll(below, entry.name, entry.name === 'pack' ? PACK : LOOSE)
    }
    const info = await localPaths.enter(objects, join(objects.path, 'info')).catch(() => undefined)
    const alternates = info && (await readSmall(localPaths, info, 'alternates', signal))
    for (const line of (alternates ?? '').split('\n').map((text) => text.trim())) {
      if (line === '' || line.startsWith('#')) continue
      await copyObjects(await followAlternates(objects, line), borrowed)
    }
  }

  async function followAlternates(objects: LocalPlace, line: string): Promise<LocalPlace> {
    try {
      return await localPaths.enter(objects, resolve(objects.path, line))
    } catch (error) {
      if (!(error instanceof LocalPathRefused)) throw error
      throw new SourceFailure(
        'The repository borrows objects from a folder that is not among those that the operator lists (CITEWELL_LOCAL_PATHS).',
      )
    }
  }

  await copyObjects(
    await localPaths.enter(folders.commonFolder, join(folders.commonFolder.path, 'objects')),
    new Set(),
  )
}
