import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LocalPathRefused, type LocalPaths, type LocalPlace } from '../../../platform/files/local-paths.ts'
import { SourceFailure } from '../connector.ts'
import { copyRepository } from './copy-repository.ts'
import { explainGit } from './explain-git.ts'
import { fetchCommit } from './fetch-repository.ts'
import type { FileTree } from './file-tree.ts'
import { findGitFolder, isBareRepository } from './find-git-folder.ts'
import { openFolder } from './folder-tree.ts'
import { MAX_PACK_BYTES } from './git-limits.ts'
import { openCommit } from './git-tree.ts'
import { GitError } from './git.ts'
import { makeTemporaryFolder, tooLarge } from './temporary-folder.ts'

const BUNDLE = /^# v[23] git bundle\n/

/**
 * Copies a bundle into a temporary folder. Any other file is refused: git would follow a file with `gitdir: …` to a repository elsewhere.
 */
async function copyBundle(
  place: LocalPlace,
  folder: string,
  localPaths: LocalPaths,
  signal: AbortSignal,
): Promise<string> {
  const { handle, stats } = await localPaths.openFile(place, place.path)
  const head = Buffer.alloc(32)
  await handle.read(head, 0, head.length, 0)
  if (!BUNDLE.test(head.toString('latin1')) || stats.size > MAX_PACK_BYTES) {
    await handle.close()
    if (stats.size > MAX_PACK_BYTES) throw tooLarge()
    throw new SourceFailure(`${basename(place.path)} is neither a folder nor a bundle of a git repository.`)
  }
  const copy = join(folder, 'source.bundle')
  await pipeline(handle.createReadStream({ start: 0, end: stats.size - 1 }), createWriteStream(copy), {
    signal,
  })
  return copy
}

/** Opens a path on the disk: a folder in its current state, a commit of the repository in it, or a bundle. */
export async function openLocal(
  given: { path: string; ref: string | null },
  localPaths: LocalPaths,
  signal: AbortSignal,
): Promise<FileTree> {
  const place = await localPaths.find(given.path).catch((error: unknown) => {
    throw error instanceof LocalPathRefused ? toRefusal(error) : error
  })
  if (place === undefined) throw new SourceFailure(`There is no file or folder at ${given.path}.`)
  const ref = given.ref ?? undefined
  if (place.isFolder && ref === undefined && !(await isBareRepository(place.path)))
    return await openFolder(place, localPaths, signal)
  const { folder, remove } = await makeTemporaryFolder()
  try {
    if (!place.isFolder) {
      const address = await copyBundle(place, folder, localPaths, signal)
      const transport = { address, isShallow: false, run: { protocol: 'file' as const } }
      return await fetchCommit(transport, { folder, ref, signal, onClose: remove })
    }
    const found = await findGitFolder(localPaths, place, signal)
    if (found === undefined) throw new SourceFailure(missingRefMessage(given.path, ref))
    await copyRepository(found, { folder, localPaths, signal })
    return await openCommit(folder, ref ?? 'HEAD', { signal, onClose: remove })
  } catch (error) {
    await remove()
    signal.throwIfAborted()
    if (error instanceof LocalPathRefused) throw toRefusal(error)
    if (error instanceof SourceFailure) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new SourceFailure(`${given.path} changed while it was being read. Sync it again.`, {
        cause: error,
      })
    if (place.isFolder && error instanceof GitError)
      throw new SourceFailure(missingRefMessage(given.path, ref), { cause: error })
    throw explainGit(error, { name: given.path, ref, credentials: {} })
  }
}

const toRefusal = (cause: LocalPathRefused) => new SourceFailure(cause.message, { cause, isRefused: true })

const missingRefMessage = (path: string, ref: string | undefined) =>
  `${path} is not a git repository that has the branch, tag or commit "${ref ?? 'HEAD'}" with all of its objects.`
