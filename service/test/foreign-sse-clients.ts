import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { createParser } from 'eventsource-parser'

/** An event as a client returns it. */
export interface ReceivedEvent {
  /** Empty or absent if the event has no name. */
  event: string | undefined
  data: string
}

export interface StreamRequest {
  url: string
  headers: Record<string, string>
  body: string
}

async function readWithEventsourceParser({ url, headers, body }: StreamRequest): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data }),
    onError: (error) => {
      throw error
    },
  })
  const response = await fetch(url, { method: 'POST', headers, body })
  if (response.body === null) throw new Error('no body')
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text)
  return events
}

/** The EventSource client of browsers, with the browser features that it needs. */
async function readWithFetchEventSource({ url, headers, body }: StreamRequest): Promise<ReceivedEvent[]> {
  const page = { window: globalThis, document: { removeEventListener: () => {} } }
  Object.assign(globalThis, page)
  const events: ReceivedEvent[] = []
  try {
    await fetchEventSource(url, {
      method: 'POST',
      headers,
      body,
      fetch: globalThis.fetch,
      openWhenHidden: true,
      onmessage: ({ event, data }) => events.push({ event, data }),
      onerror: (error) => {
        throw error
      },
    })
  } finally {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
  }
  return events
}

/** Curl does not parse events: lines are read raw and joined by the rules of the format. */
async function readWithCurl({ url, headers, body }: StreamRequest): Promise<ReceivedEvent[]> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await promisify(execFile)('curl', [
    '-sSN',
    '-X',
    'POST',
    ...named,
    '--data-binary',
    body,
    url,
  ])
  return stdout
    .split('\n\n')
    .slice(0, -1)
    .map((event) => ({ event: undefined, data: event.replace(/^data: /, '') }))
}

/** Clients of event streams from other projects. */
export const FOREIGN_SSE_CLIENTS = {
  'eventsource-parser': readWithEventsourceParser,
  'fetch-event-source': readWithFetchEventSource,
  'curl -N': readWithCurl,
} as const
