import { SourceFailure } from '../connector.ts'
import { MAX_FILES, tooManyFiles, type TreeFile } from './file-tree.ts'
import { MAX_LISTING_BYTES } from './git-limits.ts'
import { streamGit } from './git.ts'

/** Maximum length of one entry of the listing (mode, hash, size, name); no file system has names that long. */
const MAX_RECORD_BYTES = 8_192

const TIMEOUT_MS = 120_000

/** One entry of `git ls-tree -z -l`; undefined for links and submodules. */
function fileOf(record: string): TreeFile | undefined {
  const tab = record.indexOf('\t')
  const [mode = '', type, hash = '', size] = record.slice(0, tab).split(/ +/)
  if (tab < 0 || type !== 'blob' || mode === '120000') return undefined
  return { path: record.slice(tab + 1), bytes: Number(size), hash, modifiedAt: undefined }
}

/**
 * The files of a commit, which may be named as for `git rev-parse`; throws a `GitError` if there is none. The listing is streamed, and git is
 * ended if it is longer than any documentation: a few kilobytes of nested trees can name millions of files.
 */
export async function listCommit(
  gitFolder: string,
  commit: string,
  signal: AbortSignal,
): Promise<TreeFile[]> {
  const files: TreeFile[] = []
  let entries = 0
  let bytes = 0
  let rest: Buffer = Buffer.alloc(0)
  const command = ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', commit]
  await streamGit(gitFolder, command, { signal, timeoutMs: TIMEOUT_MS }, (piece) => {
    bytes += piece.length
    if (bytes > MAX_LISTING_BYTES)
      throw new SourceFailure(
        `The names of the repository's files are longer than ${MAX_LISTING_BYTES / 1_048_576} MiB.`,
      )
    rest = Buffer.concat([rest, piece])
    let start = 0
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0, start)) {
      entries += 1
      if (entries > MAX_FILES) throw tooManyFiles('repository')
      const file = end - start > MAX_RECORD_BYTES ? undefined : fileOf(rest.toString('utf8', start, end))
      if (file !== undefined) files.push(file)
      start = end + 1
    }
    // Of an entry that is too long, keep only enough to detect that.
    rest = Buffer.from(rest.subarray(start, start + MAX_RECORD_BYTES + 1))
  })
  return files
}
