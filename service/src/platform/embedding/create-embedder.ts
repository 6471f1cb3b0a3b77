import { setTimeout as wait } from 'node:timers/promises'
import { readDefaultModel } from './default-model.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingsEndpointDeps, RemoteEmbeddingSettings } from './embeddings-endpoint.ts'
import { createLocalEmbedder } from './local-embedder.ts'
import { readLocalModel } from './local-model.ts'
import { createRemoteEmbedder, keyPrefixOf, remoteEmbedder } from './remote-embedder.ts'

/** Which model embeds: the remote one if it is set, else the one in the folder, else the built-in one. */
export interface EmbeddingSettings {
  remote: RemoteEmbeddingSettings | undefined
  /** Folder of a BERT-type ONNX model. */
  localFolder: string | undefined
}

/**
 * The embedder, and the reason why it does not work; undefined where it does. Without an embedder only keyword search finds passages. One
 * with a reason is that of a service that does not answer at the moment.
 */
export type CreatedEmbedder =
  | { embedder: Embedder; reason: undefined }
  | { embedder: Embedder | undefined; reason: string }

export interface CreateEmbedderDeps extends Pick<EmbeddingsEndpointDeps, 'fetch' | 'onCall'> {
  /** Dimensions of the newest stored vectors whose embedding key begins so; undefined if there are none. */
  storedDimensions?: ((keyPrefix: string) => Promise<number | undefined>) | undefined
}

/** Loads the model that the settings name. It never throws: a service without vectors can still search by keywords. */
export async function createEmbedder(
  settings: EmbeddingSettings,
  deps: CreateEmbedderDeps,
): Promise<CreatedEmbedder> {
  try {
    return { embedder: await openEmbedder(settings, deps), reason: undefined }
  } catch (error) {
    return {
      embedder: await embedderOfStored(settings, deps),
      reason: error instanceof Error ? error.message : String(error),
    }
  }
}

const remoteDeps = ({ fetch, onCall }: CreateEmbedderDeps) => ({
  fetch,
  onCall,
  wait: async (milliseconds: number, signal: AbortSignal) => await wait(milliseconds, undefined, { signal }),
})

/** Documents with vectors of a service that does not answer keep them: without its key they would be indexed again, without vectors. */
async function embedderOfStored(
  { remote }: EmbeddingSettings,
  deps: CreateEmbedderDeps,
): Promise<Embedder | undefined> {
  if (remote === undefined) return undefined
  const dimensions = await deps.storedDimensions?.(keyPrefixOf(remote))
  return dimensions === undefined ? undefined : remoteEmbedder(remote, remoteDeps(deps), dimensions)
}

async function openEmbedder(
  { remote, localFolder }: EmbeddingSettings,
  deps: CreateEmbedderDeps,
): Promise<Embedder> {
  if (remote !== undefined) return await createRemoteEmbedder(remote, remoteDeps(deps))
  return await createLocalEmbedder(
    localFolder === undefined ? await readDefaultModel() : await readLocalModel(localFolder),
    deps.onCall,
  )
}
