import { availableParallelism } from 'node:os'
import { passageParts } from '../src/content/chunking/chunking.ts'
import { openBertSession } from '../src/platform/embedding/bert-session.ts'
import { readDefaultModel } from '../src/platform/embedding/default-model.ts'
import { readVocabulary } from '../src/platform/embedding/vocabulary.ts'
import { createWordPiece } from '../src/platform/embedding/word-piece.ts'

/** A stored passage, as the management API returns it. */
export interface StoredPassage {
  title: string
  headingPath: string[]
  text: string
}

/**
 * Only the built-in model, without the service: on all processors, one passage after the other, with the same vectors as the service
 * computes. The baseline for the indexing speed of the service.
 */
export async function openBareModel() {
  const model = await readDefaultModel()
  const wordPiece = createWordPiece(await readVocabulary(model.tokenizerFolder))
  const { embedPieces } = await openBertSession(model, availableParallelism())
  return {
    embed: async ({ title, ...passage }: StoredPassage, language: string): Promise<Float32Array> => {
      const parts = passageParts(title, passage, language)
      const { pieces, spans } = wordPiece.encodeParts(['', ...parts], model.maxPieces - 2)
      return await embedPieces(pieces, spans)
    },
  }
}
