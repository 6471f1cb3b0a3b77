import { SourceFailure } from '../connector.ts'
import { MAX_FILES, type FileTree, type TreeFile } from './file-tree.ts'
import { runGit } from './git.ts'
import { openBlobs } from './read-blobs.ts'

/** A commit with its files as `git ls-tree -r -z -l` lists them; links and submodules are left out. */
function parseListing(listing: string, modified: Map<string, Date>): TreeFile[] {
  return listing.split('\0').flatMap((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', type, hash = '', size] = line.slice(0, tab).split(/ +/)
    if (tab < 0 || type !== 'blob' || mode === '120000') return []
    const path = line.slice(tab + 1)
    return [{ path, bytes: Number(size), hash, modifiedAt: modified.get(path) }]
  })
}

/** When each file was changed last, of all history that is there. A shallow clone has none, and says nothing. */
async function readModified(
  gitFolder: string,
  commit: string,
  signal: AbortSignal,
): Promise<Map<string, Date>> {
  const modified = new Map<string, Date>()
  const run = { signal, timeoutMs: 60_000 }
  const isShallow = await runGit(gitFolder, ['rev-parse', '--is-shallow-repository'], run)
  if (isShallow.trim() === 'true') return modified
  try {
    const log = await runGit(
      gitFolder,
      ['log', '-z', '--format=%x01%ct', '--name-only', '--no-renames', commit],
      run,
    )
    for (const entry of log.split('\u0001')) {
      const [seconds = '', ...paths] = entry.split(/[\0\n]+/)
      const time = new Date(Number(seconds) * 1_000)
      for (const path of paths) if (path !== '' && !modified.has(path)) modified.set(path, time)
    }
  } catch {
    signal.throwIfAborted()
    // Too long a history: the files are worth more than their dates.
  }
  return modified
}

/** The files of one commit, read straight from the object store: nothing is checked out. */
export async function openCommit(
  gitFolder: string,
  commit: string,
  given: { signal: AbortSignal; onClose: () => Promise<void> },
): Promise<FileTree> {
  const { signal } = given
  const listing = await runGit(gitFolder, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit], { signal })
  const files = parseListing(listing, await readModified(gitFolder, commit, signal))
  if (files.length > MAX_FILES)
    throw new SourceFailure(`There are more than ${MAX_FILES} files in the repository.`)
  const blobs = openBlobs(gitFolder)
  return {
    files,
    read: async ({ hash }) => await blobs.read(hash),
    [Symbol.asyncDispose]: async () => {
      blobs[Symbol.dispose]()
      await given.onClose()
    },
  }
}
