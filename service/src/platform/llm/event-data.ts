import { createParser } from 'eventsource-parser'

/** Maximum length of one event in UTF-16 units: some servers send a whole answer in one. */
const MAX_EVENT_LENGTH = 8_000_000

/**
 * The data of server-sent events, in order.
 *
 * @throws ParseError for an event that is longer than the maximum
 */
export async function* eventDataOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
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
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (fault !== undefined) throw fault
    const complete = events
    events = []
    yield* complete
  }
}
