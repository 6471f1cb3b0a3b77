import { splitText } from '../../kernel/cut-text.ts'
import { createEventLoopYield } from '../../kernel/yield-to-event-loop.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'

/** Longest answer that is read, in UTF-16 units: several times what a model is asked for, in tokens. */
const LONGEST_ANSWER = 16_000

/** Read at once. Some models give a whole answer in one piece. */
const LONGEST_PIECE = 500

/**
 * What a model writes in short pieces, up to the longest answer that there is. Between them others have their turn.
 *
 * @throws ModelFailure `truncated` behind that
 */
export async function* boundAnswer(written: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  const breathe = createEventLoopYield()
  let left = LONGEST_ANSWER
  for await (const text of written) {
    for (const piece of splitText(text.slice(0, left), LONGEST_PIECE)) {
      yield piece
      await breathe()
    }
    left -= text.length
    if (left < 0) throw new ModelFailure('truncated', 'The model wrote more than an answer may have.')
  }
}
