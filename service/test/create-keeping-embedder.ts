import {
  createEmbedder as createRealEmbedder,
  type CreatedEmbedder,
  type EmbeddingSettings,
} from '../src/platform/embedding/create-embedder.ts'
import type { EmbeddingsEndpointDeps } from '../src/platform/embedding/embeddings-endpoint.ts'
import type { KeptVectors } from './kept-vectors.ts'

let vectors: KeptVectors | undefined
let timesCreated = 0

/** Which vectors the next service keeps. */
export function keepVectorsIn(kept: KeptVectors): void {
  vectors = kept
}

/** How many embedders were made here: proof that this module stands where the real one did. */
export const embeddersCreated = () => timesCreated

/** Stands in for the function of the same name: the real embedder, with its vectors kept. */
export async function createEmbedder(
  settings: EmbeddingSettings,
  deps: Pick<EmbeddingsEndpointDeps, 'fetch'>,
): Promise<CreatedEmbedder> {
  timesCreated += 1
  const created = await createRealEmbedder(settings, deps)
  if (created.embedder === undefined || vectors === undefined) return created
  return { embedder: vectors.keepFor(created.embedder), reason: undefined }
}
