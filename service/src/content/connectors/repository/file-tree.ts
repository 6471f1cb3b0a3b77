import { SourceFailure } from '../connector.ts'

/** The files of a repository or folder at one moment. */
export interface FileTree extends AsyncDisposable {
  files: TreeFile[]
  /** What a limit left out, and where: see `ConnectorInput.onLimit`. */
  limits: { limit: string; place: string }[]
  read(file: TreeFile): Promise<Uint8Array>
}

export interface TreeFile {
  /** With slashes, from the root: `guide/config.md`. */
  path: string
  bytes: number
  /** Changes if and only if the contents do: git's hash of the file's contents. */
  hash: string
  modifiedAt: Date | undefined
}

/** A source with more files is probably a whole disk. */
export const MAX_FILES = 100_000

/** A larger file is not a page of documentation. */
export const MAX_FILE_BYTES = 10_485_760

export const tooManyFiles = (where: 'repository' | 'folder') =>
  new SourceFailure(`There are more than ${MAX_FILES} files in the ${where}.`)
