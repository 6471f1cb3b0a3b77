import { ChatFrame, type ChatLastFrame, type Citation } from '@citewell/contract/chat'
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ChatHeard {
  /** The final text. */
  text: string
  /** From the first frame. */
  found: Citation[]
  last: ChatLastFrame
  /** Milliseconds since the request. */
  firstFrameMs: number
  wholeMs: number
}

/**
 * Reads a chat stream to its end; every frame is validated against the contract.
 *
 * @param startedAt - start of the request, by `performance.now()`
 */
export async function readChat(response: Response, startedAt: number): Promise<ChatHeard> {
  let text = ''
  let found: Citation[] | undefined
  let firstFrameMs = 0
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events ?? []) {
    const now = performance.now() - startedAt
    const frame = ChatFrame.parse(JSON.parse(data))
    if ('error' in frame) throw new Error(`The chat failed: ${frame.error} (${frame.error_code})`)
    if ('delta' in frame) text += frame.delta
    else if (frame.done) {
      return { text: frame.answer ?? text, found: found ?? [], last: frame, firstFrameMs, wholeMs: now }
    } else if (found === undefined) {
      found = frame.citations ?? []
      firstFrameMs = now
    }
  }
  throw new Error('The chat ended before its last frame.')
}
