import { LAST_PAUSE_MS, LONGEST_WAIT_MS } from '../chunks/waits.ts'
import type { SaidOptions } from '../options/given-options.ts'
import type { PublicConfig } from '../options/public-config.ts'

/** What the service knows of the page's widget. */
export interface Connection {
  clientKey: string
  config: PublicConfig
}

/** The service answered that this page has no widget. Asking again changes nothing. */
export interface Refusal {
  code: string
  error: string
  request_id?: string
}

/**
 * Reads the settings of the page's widget. A tag without a client key asks for that of the base's own widget first. Rejects if
 * the service cannot be reached, does not answer in time, or is not well: then it is worth asking again later.
 */
async function connectOnce(
  { knowledgeBaseId, widgetId, clientKey }: SaidOptions,
  endpoint: string,
  endIn: (milliseconds: number) => AbortSignal,
): Promise<Connection | Refusal> {
  const of = widgetId ? `widget-integrations/${widgetId}/` : `knowledge-bases/${knowledgeBaseId}/widget-`
  const read = async (what: string): Promise<unknown> => {
    const answer = await fetch(`${endpoint}api/v1/public/${of}${what}`, {
      headers: clientKey ? { 'X-Client-Key': clientKey } : {},
      signal: endIn(LONGEST_WAIT_MS),
    })
    // 429 and 5xx; those between are of a proxy, not of the service.
    if (answer.status > 428) throw new Error()
    return answer.json()
  }
  if (!clientKey) {
    const found = (await read(widgetId ? 'widget-key' : 'key')) as Refusal & { client_key: string }
    if (found.code) return found
    clientKey = found.client_key
  }
  const config = (await read('config')) as PublicConfig & Refusal
  return config.code ? config : { clientKey, config }
}

/**
 * Repeats what the service could not answer, with growing waits. A failed try is silent: a page is not the place to hear of it.
 * Nothing comes of it only if `signal` ends it, with the request or the wait that is under way.
 */
export async function connect(
  said: SaidOptions,
  endpoint: string,
  signal: AbortSignal,
  /** Is given what ends the wait that begins. */
  onWait: (again: () => void) => void,
): Promise<Connection | Refusal | undefined> {
  const endIn = (milliseconds: number) => AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  // Each wait is twice the one before, up to some five minutes.
  for (let wait = 10_000; !signal.aborted; wait = wait < LAST_PAUSE_MS ? wait * 2 : wait)
    try {
      return await connectOnce(said, endpoint, endIn)
    } catch {
      await new Promise<unknown>((again) => {
        onWait(again as () => void)
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no one else has this signal, and every byte is every page's
        endIn(wait).onabort = again
      })
    }
  return undefined
}
