import { splitText } from '../../kernel/cut-text.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'

/** Maximum length of an answer, in UTF-16 units: several times what a model is asked for in tokens. */
const MAX_ANSWER_LENGTH = 16_000

/** Maximum length of one piece, in UTF-16 units. Some models return a whole answer in one piece. */
const MAX_PIECE_LENGTH = 500

/** Splits what a model writes into short pieces, up to the maximum length. */
export function createAnswerBound() {
  let left = MAX_ANSWER_LENGTH
  return {
    piecesOf: (text: string): string[] => {
      const pieces = splitText(text.slice(0, left), MAX_PIECE_LENGTH)
      left -= text.length
      return pieces
    },
    /** Call it when the pieces are passed on. @throws ModelFailure `truncated` if there was more than the maximum length */
    throwIfFull: (): void => {
      if (left >= 0) return
      throw new ModelFailure('truncated', 'The model wrote more than the maximum length of an answer.')
    },
  }
}
