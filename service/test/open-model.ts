import { createEmbedder } from '../src/platform/embedding/create-embedder.ts'
import type { Embedder } from '../src/platform/embedding/embedder.ts'

/** Opens only the embedding model. The caller closes it. */
export async function openModel(): Promise<Embedder> {
  const { embedder, reason } = await createEmbedder(
    { remote: undefined, localFolder: undefined },
    { fetch: () => Promise.reject(new Error('The embedded model needs no network.')) },
  )
  if (embedder === undefined) throw new Error(reason)
  return embedder
}
