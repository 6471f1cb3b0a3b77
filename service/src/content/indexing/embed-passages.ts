import type { Embedder } from '../../platform/embedding/embedder.ts'
import { packVectors } from '../../platform/embedding/packed-vectors.ts'
import type { PassageVectors } from './indexing-store.ts'

/** The vectors of passages by the hash of their text: those that are known, and of the others what the model makes; none without a model. */
export async function embedPassages(
  embedder: Embedder | undefined,
  {
    passages,
    known,
    knowledgeBaseId,
  }: {
    passages: readonly { hash: string; parts: readonly string[] }[]
    known: Map<string, PassageVectors>
    knowledgeBaseId: string
  },
  signal: AbortSignal,
): Promise<Map<string, PassageVectors>> {
  if (embedder === undefined) return known
  const missing = passages.filter(({ hash }) => !known.has(hash))
  const made = await embedder.embedInParts(
    missing.map(({ parts }) => parts),
    signal,
    knowledgeBaseId,
  )
  return new Map([
    ...known,
    ...made.map(({ whole, parts: [, ...sentences] }, index): [string, PassageVectors] => [
      missing[index]?.hash ?? '',
      { whole, sentences: sentences.length === 0 ? undefined : packVectors(sentences) },
    ]),
  ])
}
