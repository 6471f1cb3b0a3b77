import { badAnswer } from './citewell-error.ts'

/** Longest event, in characters. The service's own are below 1 MB. */
const LONGEST_EVENT = 8_388_608

const LF = 10
const CR = 13

/**
 * Splits a stream of server-sent events into the data of its events: any of the three line ends, comments, and several `data:` lines of
 * one event. An event that is not ended by a blank line is dropped, as the standard says.
 *
 * @returns takes the next piece of text and returns the data of the events that it ends
 */
export function createEventSplitter(longest = LONGEST_EVENT): (text: string) => string[] {
  let line = ''
  let data: string | undefined
  let isAfterCr = false
  let found: string[] = []

  function endLine(): void {
    if (line === '') {
      if (data !== undefined) found.push(data)
      data = undefined
    } else if (line === 'data' || line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
      data = data === undefined ? value : `${data}\n${value}`
    }
    line = ''
  }

  return (text) => {
    found = []
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at)
      if (sign === LF || sign === CR) {
        if (sign === LF && isAfterCr) {
          start = at + 1
        } else {
          line += text.slice(start, at)
          start = at + 1
          endLine()
        }
      }
      isAfterCr = sign === CR
    }
    line += text.slice(start)
    if (line.length + (data?.length ?? 0) > longest) throw badAnswer()
    return found
  }
}

/** The data of each event of a response's body. Leaving the loop cancels the body. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string, void, void> {
  const split = createEventSplitter()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      yield* split(decoder.decode(value, { stream: true }))
    }
  } finally {
    // Not awaited: a body that was already aborted rejects, and a slow one need not be waited for.
    reader.cancel().catch(() => undefined)
  }
}
