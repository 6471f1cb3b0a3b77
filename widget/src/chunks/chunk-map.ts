/** A file of the build, beside the script that names it. */
export interface ChunkFile {
  file: string
  /** For `integrity`: `sha256-` and Base64, which is short. */
  integrity: string
}

/** What a script may fetch: `panel`, `markdown`, `captcha`, `language-de`, … */
export type ChunkMap = Record<string, ChunkFile>
