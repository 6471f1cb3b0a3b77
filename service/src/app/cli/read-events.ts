import { parseJson } from '../../kernel/json.ts'

/** The JSON frames of a `text/event-stream` answer, in order. Comments (keep-alives) are passed over. */
export async function* readEvents(response: Response): AsyncGenerator<Record<string, unknown>, void, void> {
  if (response.body === null) return
  let pending = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    pending += text
    const events = pending.split('\n\n')
    pending = events.pop() ?? ''
    for (const event of events) {
      if (!event.startsWith('data:')) continue
      const frame = parseJson(event.slice('data:'.length))
      if (typeof frame === 'object' && frame !== null) yield frame as Record<string, unknown>
    }
  }
}
