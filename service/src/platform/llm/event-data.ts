import { createParser } from 'eventsource-parser'

/** Maximum length of one event in UTF-16 units: some servers send a whole answer in one. */
const MAX_EVENT_LENGTH = 8_000_000

/**
 * Reads the bytes of server-sent events as they arrive: returns the data of the events that are complete, in order.
 *
 * @throws ParseError for an event that is longer than the maximum
 */
export function createEventReader(): (bytes: Uint8Array) => string[] {
  let events: string[] = []
  let fault: Error | undefined
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => void events.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') fault = error
    },
  })
  const decoder = new TextDecoder()
  return (bytes) => {
    events = []
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (fault !== undefined) throw fault
    return events
  }
}
