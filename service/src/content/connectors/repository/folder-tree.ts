import { createHash } from 'node:crypto'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalPathRefused, type LocalPaths, type LocalPlace } from '../../../platform/files/local-paths.ts'
import { SourceFailure } from '../connector.ts'
import { mediaTypeOfFile } from '../../parsing/parsing.ts'
import { MAX_FILE_BYTES, MAX_FILES, tooManyFiles, type FileTree, type TreeFile } from './file-tree.ts'
import { readHandle } from './read-handle.ts'

/** Folders that never contain documentation. */
const NEVER_ENTERED = new Set(['node_modules', '__pycache__', 'venv', 'bower_components'])

/** Maximum directory entries to look at, of any kind, and maximum depth of folders. */
const MAX_NAMES = 1_000_000
const MAX_DEPTH = 100
const TOO_DEEP = `Folders more than ${MAX_DEPTH} deep are left out.`

/** Same result as `git hash-object`, so that a folder and its repository agree on what is unchanged. */
function blobHash(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')
}

/** A folder on the disk, in its current state. */
export async function openFolder(
  place: LocalPlace,
  localPaths: LocalPaths,
  signal: AbortSignal,
): Promise<FileTree> {
  let names = 0
  const limits: FileTree['limits'] = []

  /** Files sorted by path; files that must not be read are omitted. */
  async function* walk(folder: LocalPlace, base: string, depth: number): AsyncGenerator<string, void, void> {
    const entries: { name: string; isFolder: boolean }[] = []
    for await (const entry of await opendir(folder.path)) {
      signal.throwIfAborted()
      names += 1
      if (names > MAX_NAMES) throw tooManyFiles('folder')
      // Links are not followed: they may lead out of the folder, or form a cycle.
      if (entry.name.startsWith('.') || (!entry.isFile() && !entry.isDirectory())) continue
      entries.push({ name: entry.name, isFolder: entry.isDirectory() })
    }
    for (const { name, isFolder } of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = base === '' ? name : `${base}/${name}`
      if (!isFolder) {
        yield path
        continue
      }
      if (NEVER_ENTERED.has(name)) continue
      if (depth >= MAX_DEPTH) limits.push({ limit: TOO_DEEP, place: path })
      else {
        const below = await enter(folder, join(folder.path, name))
        if (below !== undefined) yield* walk(below, path, depth + 1)
      }
    }
  }

  async function enter(folder: LocalPlace, path: string): Promise<LocalPlace | undefined> {
    try {
      return await localPaths.enter(folder, path)
    } catch (error) {
      if (error instanceof LocalPathRefused) return undefined
      throw error
    }
  }

  async function read(path: string): Promise<Uint8Array> {
    const opened = await localPaths.openFile(place, join(place.path, path)).catch((cause: unknown) => {
      throw new Error('it could not be opened', { cause })
    })
    return await readHandle(opened, { mostBytes: MAX_FILE_BYTES, signal })
  }

  async function look(path: string): Promise<TreeFile> {
    const opened = await localPaths.openFile(place, join(place.path, path))
    const { size, mtime } = opened.stats
    // Only files that may become documents are worth hashing; others can still be included by one.
    const isHashed = mediaTypeOfFile(path) !== undefined && size <= MAX_FILE_BYTES
    if (!isHashed) await opened.handle.close()
    const hash = isHashed
      ? blobHash(await readHandle(opened, { mostBytes: MAX_FILE_BYTES, signal }))
      : `${size}-${mtime.getTime()}`
    return { path, bytes: size, hash, modifiedAt: mtime }
  }

  const files: TreeFile[] = []
  try {
    for await (const path of walk(place, '', 0)) {
      signal.throwIfAborted()
      if (files.length >= MAX_FILES) throw tooManyFiles('folder')
      // A file that cannot be opened now is still listed, so that its indexed document is kept.
      const file = await look(path).catch(() => ({ path, bytes: 0, hash: '', modifiedAt: undefined }))
      files.push(file)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceFailure || error instanceof LocalPathRefused) throw error
    throw new SourceFailure('The folder could not be read: the service needs read permission.', {
      cause: error,
    })
  }
  return { files, limits, read: async ({ path }) => await read(path), [Symbol.asyncDispose]: async () => {} }
}
