import type { ChunkMap } from './chunk-map.ts'

declare const CITEWELL_VERSION: string
declare const CITEWELL_CHUNKS: ChunkMap

/** The version of the built files: the folder `/widget/<version>/`. The build writes it in. */
export const VERSION: string = CITEWELL_VERSION

/** What this script may fetch. The build writes it in. */
export const CHUNKS: ChunkMap = CITEWELL_CHUNKS
