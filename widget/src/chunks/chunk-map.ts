/** A file of the build, beside the script that names it. */
export interface ChunkFile {
  file: string
  /** For `integrity`: `sha384-` and Base64. */
  integrity: string
}

/** The files that a chunk needs, itself last. */
export type ChunkMap = Record<string, ChunkFile[]>
