import type { FileTree } from './file-tree.ts'
import { listCommit } from './list-commit.ts'
import { openBlobs } from './read-blobs.ts'
import { readModified } from './read-modified.ts'

/** The files of one commit of a repository owned by this service, read from the object store: nothing is checked out. */
export async function openCommit(
  gitFolder: string,
  wanted: string,
  given: { signal: AbortSignal; onClose: () => Promise<void> },
): Promise<FileTree> {
  const { signal } = given
  const commit = `${wanted}^{commit}`
  const listed = await listCommit(gitFolder, commit, signal)
  const modified = await readModified(gitFolder, commit, new Set(listed.map(({ path }) => path)), signal)
  const files = listed.map((file) => ({ ...file, modifiedAt: modified.get(file.path) }))
  const blobs = openBlobs(gitFolder, signal)
  return {
    files,
    limits: [],
    read: async ({ hash }) => await blobs.read(hash),
    [Symbol.asyncDispose]: async () => {
      blobs[Symbol.dispose]()
      await given.onClose()
    },
  }
}
