import { splitText } from '../../kernel/cut-text.ts'
import { yieldToEventLoop } from '../../kernel/yield-to-event-loop.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'

/** Maximum length of an answer, in UTF-16 units: several times what a model is asked for in tokens. */
const MAX_ANSWER_LENGTH = 16_000

/** Maximum length of one piece, in UTF-16 units. Some models return a whole answer in one piece. */
const MAX_PIECE_LENGTH = 500

/**
 * Splits what a model writes into short pieces, up to the maximum length, and yields to the event loop between them.
 *
 * @throws ModelFailure `truncated` beyond the maximum length
 */
export async function* boundAnswer(written: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let left = MAX_ANSWER_LENGTH
  for await (const text of written) {
    for (const piece of splitText(text.slice(0, left), MAX_PIECE_LENGTH)) {
      yield piece
      await yieldToEventLoop()
    }
    left -= text.length
    if (left < 0)
      throw new ModelFailure('truncated', 'The model wrote more than the maximum length of an answer.')
  }
}
