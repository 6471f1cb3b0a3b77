import { SourceFailure } from '../connector.ts'

/** The files of a repository or folder at one moment. */
export interface FileTree extends AsyncDisposable {
  files: TreeFile[]
  read(file: TreeFile): Promise<Uint8Array>
}

export interface TreeFile {
  /** With slashes, from the root: `guide/config.md`. */
  path: string
  bytes: number
  /** Changes when, and only when, the contents do: the hash that git gives a file's contents. */
  hash: string
  modifiedAt: Date | undefined
}

/** More files than this are somebody's whole disk. */
export const MAX_FILES = 100_000

/** A file with more is no page of documentation. */
export const MAX_FILE_BYTES = 10_485_760

export const tooManyFiles = (where: 'repository' | 'folder') =>
  new SourceFailure(`There are more than ${MAX_FILES} files in the ${where}.`)
