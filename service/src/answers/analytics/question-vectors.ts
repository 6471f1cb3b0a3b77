import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { readVectors, saveVectors } from './question-vectors-store.ts'

export interface QuestionVectorsDeps {
  db: Db<'question_vectors'>
  /** Undefined while there is no embedding model. */
  embedder: () => Pick<Embedder, 'key' | 'embedPassages'> | undefined
  /** Called when the model fails: questions are then compared by their words. */
  report: (error: unknown, activity: string) => void
}

/** Largest absolute value of an axis in one byte. */
const MAX_QUANTIZED = 127

/** Quantizes to one byte per axis, which changes a cosine by less than two thousandths. */
function pack(vector: Float32Array): Buffer {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / most) * MAX_QUANTIZED)).buffer)
}

/** The unit vector of a packed vector. */
function unpack(packed: Uint8Array): Float32Array {
  const vector = Float32Array.from(new Int8Array(packed))
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** Embedding vectors of questions: computed when they are first compared, and stored with their messages. */
export function createQuestionVectors({ db, embedder: embedderInUse, report }: QuestionVectorsDeps) {
  /** In the order of the questions; undefined if there is no model, or it fails. */
  async function of(
    knowledgeBaseId: string,
    questions: readonly { id: string; text: string }[],
    signal: AbortSignal,
  ): Promise<Float32Array[] | undefined> {
    const embedder = embedderInUse()
    if (embedder === undefined) return undefined
    const where = { knowledgeBaseId, embeddingKey: embedder.key }
    const kept = await readVectors(db, { ...where, messageIds: questions.map(({ id }) => id) })
    const packed = new Map(kept.map(({ message_id, vector }) => [message_id, vector]))
    const missing = questions.filter(({ id }) => !packed.has(id))
    try {
      const texts = missing.map(({ text }) => text)
      const made = texts.length === 0 ? [] : await embedder.embedPassages(texts, signal)
      const vectors = missing.map(({ id }, index) => ({
        message_id: id,
        vector: pack(made[index] ?? new Float32Array()),
      }))
      for (const { message_id, vector } of vectors) packed.set(message_id, vector)
      if (vectors.length > 0) await saveVectors(db, { ...where, vectors })
    } catch (error) {
      signal.throwIfAborted()
      report(error, 'comparing questions by their meaning')
      return undefined
    }
    return questions.map(({ id }) => unpack(packed.get(id) ?? Buffer.alloc(0)))
  }

  return { of }
}

export type QuestionVectors = ReturnType<typeof createQuestionVectors>
