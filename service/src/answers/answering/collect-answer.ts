import type { AnswerEvent } from './answer-event.ts'

export type FinishedAnswer = Extract<AnswerEvent, { kind: 'finished' }>
export type FailedAnswer = Extract<AnswerEvent, { kind: 'failed' }>

/** An answer that has ended: either finished or failed. */
export interface CollectedAnswer {
  /** The whole text; of a failed answer what was written until then. */
  text: string
  finished: FinishedAnswer | undefined
  failed: FailedAnswer | undefined
}

/**
 * Reads an answer to its end, for surfaces that return it in one piece.
 *
 * @param onFound is called with the number of pages found, before the first word
 */
export async function collectAnswer(
  events: AsyncIterable<AnswerEvent>,
  onFound?: (pages: number) => void,
): Promise<CollectedAnswer> {
  let text = ''
  for await (const event of events) {
    if (event.kind === 'found') onFound?.(event.citations.length)
    if (event.kind === 'delta') text += event.text
    if (event.kind === 'failed') return { text, finished: undefined, failed: event }
    if (event.kind === 'finished')
      return { text: event.rewritten ?? text, finished: event, failed: undefined }
  }
  // An answer always ends with one of the two events.
  return { text, finished: undefined, failed: { kind: 'failed', code: 'internal', retryable: true } }
}
