import { badAnswer, errorOfFrame, isErrorFrame } from './citewell-error.ts'
import type { WireFrame } from './http.ts'
import type { Citation } from './records.ts'
import { fromWire } from './wire-names.ts'

/** Answering began: the pages that were found, which may be none. */
export interface AnswerStart {
  type: 'start'
  citations: Citation[]
}

/** A piece of the answer. */
export interface AnswerDelta {
  type: 'delta'
  delta: string
  /** The text so far. */
  text: string
}

/** The answer is complete. */
export interface AnswerDone {
  type: 'done'
  /** The final text. */
  text: string
  /** The final text, only if it differs from the streamed one: markers renumbered, or images added. It is also in `text`. */
  answer?: string | undefined
  /** What the answer cites. It replaces the pages of the first frame, and may be empty. */
  citations: Citation[]
  /** False when the knowledge base does not cover the question. */
  covered: boolean
  /** 0 to 1. */
  confidence: number
  /** For rating the answer. Missing under zero data retention. */
  messageId?: string | undefined
  /** For continuing the conversation. Missing under zero data retention. */
  threadId?: string | undefined
  poweredBy?: string | undefined
  poweredByUrl?: string | undefined
}

/** The last frame of a support form: an answer, and whether to show it. */
export interface DeflectionDone extends AnswerDone {
  /** Whether to show the answer. Until this is known, nothing of it should be visible. */
  answered: boolean
  /** Why there is nothing to show. */
  skippedReason: 'too_short' | 'low_confidence' | null
  /** For reporting the outcome. Missing if nothing was stored. */
  conversationId?: string | undefined
}

/** A frame of an answer, by `type`. */
export type AnswerFrame<Done extends AnswerDone = AnswerDone> = AnswerStart | AnswerDelta | Done

/** Turns frames of the wire, which are distinguished by their fields, into frames with a `type`. One reader per stream. */
export function createFrameReader<Done extends AnswerDone>(): (frame: WireFrame) => AnswerFrame<Done> {
  let text = ''
  return (frame) => {
    if (isErrorFrame(frame)) throw errorOfFrame(frame)
    const { delta, answer } = frame
    if (frame['done'] === true) {
      const final = typeof answer === 'string' ? answer : text
      const { done: _done, ...fields } = fromWire(frame) as Record<string, unknown>
      return { ...fields, type: 'done', text: final, citations: citationsOf(frame) } as Done
    }
    if (typeof delta === 'string') {
      text += delta
      return { type: 'delta', delta, text }
    }
    if (delta !== undefined) throw badAnswer()
    return { type: 'start', citations: citationsOf(frame) }
  }
}

function citationsOf({ citations = [] }: WireFrame): Citation[] {
  if (!Array.isArray(citations)) throw badAnswer()
  return fromWire(citations) as Citation[]
}
