import type { ChunkFile, ChunkMap } from './chunk-map.ts'

declare const CITEWELL_VERSION: string
declare const CITEWELL_CHUNKS: ChunkMap
declare const CITEWELL_PANEL: ChunkFile

/** The folder of the built files, below the address of the service. The build writes their version in. */
export const FOLDER: string = `widget/${CITEWELL_VERSION}/`

/** A file that this script may fetch. The build writes them in. */
export function chunk(name: string): ChunkFile {
  const found = CITEWELL_CHUNKS[name]
  if (found === undefined) throw new Error(`Citewell has no file "${name}".`)
  return found
}

export const PANEL: ChunkFile = CITEWELL_PANEL
