import type { LocalModel } from './local-model.ts'

/** What the main thread and the embedding worker say to each other. */
export type EmbeddingRequest =
  | {
      kind: 'embed'
      id: number
      purpose: EmbeddingPurpose
      texts: readonly EmbeddingText[]
      /** Whose passages they are: lines take turns. */
      line: string
    }
  | { kind: 'cancel'; id: number }

/** A text, or one in its parts: then the answer is its vector and those of its parts, one behind the other. */
export type EmbeddingText = string | readonly string[]

/** Somebody waits for a query; passages may take their time. */
export type EmbeddingPurpose = 'query' | 'passage'

export type EmbeddingReply =
  | { kind: 'ready' }
  /** The model cannot be loaded here; the worker ends. */
  | { kind: 'unusable'; reason: string }
  | { kind: 'embedded'; id: number; vectors: Float32Array<ArrayBuffer>[] }
  | { kind: 'fault'; id: number; message: string }

export interface EmbeddingWorkerData {
  model: LocalModel
  /** Threads that share one text's arithmetic. */
  threads: number
}
