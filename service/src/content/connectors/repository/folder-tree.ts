import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceFailure } from '../connector.ts'
import { mediaTypeOfFile } from '../../parsing/parsing.ts'
import { MAX_FILES, type FileTree, type TreeFile } from './file-tree.ts'

/** Folders that hold no documentation of their own. */
const NEVER_ENTERED = new Set(['node_modules', '__pycache__', 'venv', 'bower_components'])

/** What `git hash-object` says of a file, so that a folder and its repository agree on what is unchanged. */
const blobHash = (bytes: Uint8Array) =>
  createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')

async function* walk(
  folder: string,
  base: string,
): AsyncGenerator<{ path: string; file: string }, void, void> {
  const entries = await readdir(join(folder, base), { withFileTypes: true })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = base === '' ? entry.name : `${base}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    // Links are not followed: they may lead out of the folder, or round in a circle.
    if (entry.isFile()) yield { path, file: join(folder, path) }
    else if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) yield* walk(folder, path)
  }
}

/** A folder on the disk, as it is now. */
export async function openFolder(folder: string, signal: AbortSignal): Promise<FileTree> {
  const files: TreeFile[] = []
  for await (const { path, file } of walk(folder, '')) {
    signal.throwIfAborted()
    if (files.length >= MAX_FILES)
      throw new SourceFailure(`There are more than ${MAX_FILES} files in ${folder}.`)
    const { size, mtime } = await stat(file)
    // Only files that may become documents are worth hashing; others can still be included by one.
    const isHashed = mediaTypeOfFile(path) !== undefined && size < 50_000_000
    const hash = isHashed ? blobHash(await readFile(file)) : `${size}-${mtime.getTime()}`
    files.push({ path, bytes: size, hash, modifiedAt: mtime })
  }
  return {
    files,
    read: async ({ path }) => await readFile(join(folder, path)),
    [Symbol.asyncDispose]: async () => {},
  }
}
