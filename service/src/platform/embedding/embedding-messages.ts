import type { LocalModel } from './local-model.ts'

/** The messages between the main thread and the embedding worker. */
export type EmbeddingRequest =
  | {
      kind: 'embed'
      id: number
      purpose: EmbeddingPurpose
      texts: readonly EmbeddingText[]
      /** Queue of the passages; queues take turns. */
      line: string
    }
  | { kind: 'cancel'; id: number }
  /** The worker ends between two texts. */
  | { kind: 'end' }

/**
 * A text, or its parts: then the answer is the vector of the text, followed by those of its parts. Or a pair: then the answer is the
 * numbers of `comparePair`.
 */
export type EmbeddingText = string | readonly string[] | EmbeddingPair

/** A question and a passage that are read in one pass, both in parts. */
export interface EmbeddingPair {
  question: readonly string[]
  passage: readonly string[]
}

/** A caller waits for a query; passages may take longer. */
export type EmbeddingPurpose = 'query' | 'passage'

export type EmbeddingReply =
  | { kind: 'ready' }
  /** The model cannot be loaded on this machine; the worker ends. */
  | { kind: 'unusable'; reason: string }
  | { kind: 'embedded'; id: number; vectors: Float32Array<ArrayBuffer>[] }
  | { kind: 'fault'; id: number; message: string }

export interface EmbeddingWorkerData {
  model: LocalModel
  /** Threads that share the computation of one text. */
  threads: number
}
