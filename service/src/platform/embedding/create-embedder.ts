import { setTimeout as wait } from 'node:timers/promises'
import { readDefaultModel } from './default-model.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingsEndpointDeps, RemoteEmbeddingSettings } from './embeddings-endpoint.ts'
import { createLocalEmbedder } from './local-embedder.ts'
import { readLocalModel } from './local-model.ts'
import { createRemoteEmbedder } from './remote-embedder.ts'

/** Which model embeds: the remote one if it is set, else the one in the folder, else the built-in one. */
export interface EmbeddingSettings {
  remote: RemoteEmbeddingSettings | undefined
  /** Folder of a BERT-type ONNX model. */
  localFolder: string | undefined
}

/** The embedder, or the reason why there is none: then only keyword search finds passages. */
export type CreatedEmbedder =
  | { embedder: Embedder; reason: undefined }
  | { embedder: undefined; reason: string }

/** Loads the model that the settings name. It never throws: a service without vectors can still search by keywords. */
export async function createEmbedder(
  settings: EmbeddingSettings,
  deps: Pick<EmbeddingsEndpointDeps, 'fetch' | 'onCall'>,
): Promise<CreatedEmbedder> {
  try {
    return { embedder: await openEmbedder(settings, deps), reason: undefined }
  } catch (error) {
    return { embedder: undefined, reason: error instanceof Error ? error.message : String(error) }
  }
}

async function openEmbedder(
  { remote, localFolder }: EmbeddingSettings,
  { fetch, onCall }: Pick<EmbeddingsEndpointDeps, 'fetch' | 'onCall'>,
): Promise<Embedder> {
  if (remote !== undefined)
    return await createRemoteEmbedder(remote, {
      fetch,
      onCall,
      wait: async (milliseconds, signal) => await wait(milliseconds, undefined, { signal }),
    })
  return await createLocalEmbedder(
    localFolder === undefined ? await readDefaultModel() : await readLocalModel(localFolder),
    onCall,
  )
}
