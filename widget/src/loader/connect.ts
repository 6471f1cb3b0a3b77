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
 * the service cannot be reached or is not well: then it is worth asking again later.
 */
async function connectOnce(
  { knowledgeBaseId, widgetId, clientKey }: SaidOptions,
  endpoint: string,
): Promise<Connection | Refusal> {
  const of = widgetId ? `widget-integrations/${widgetId}/` : `knowledge-bases/${knowledgeBaseId}/widget-`
  const read = async (what: string): Promise<unknown> => {
    const answer = await fetch(`${endpoint}api/v1/public/${of}${what}`, {
      headers: clientKey ? { 'X-Client-Key': clientKey } : {},
    })
    // 429 and 5xx; those between are of a proxy, not of the service.
    if (answer.status > 428) throw new Error()
    return await answer.json()
  }
  if (!clientKey) {
    const found = (await read(widgetId ? 'widget-key' : 'key')) as { client_key: string } | Refusal
    if ('code' in found) return found
    clientKey = found.client_key
  }
  const config = (await read('config')) as PublicConfig | Refusal
  return 'code' in config ? config : { clientKey, config }
}

/**
 * Repeats what the service could not answer, with growing waits. A failed try is silent: a page is not the place to hear of it.
 * Nothing comes of it only if `signal` ends it.
 */
export async function connect(
  said: SaidOptions,
  endpoint: string,
  signal: AbortSignal,
  /** Is given what ends the wait that begins. */
  onWait: (again: () => void) => void,
): Promise<Connection | Refusal | undefined> {
  // In seconds: each wait is twice the one before, up to five minutes.
  for (let wait = 10; !signal.aborted; wait = Math.min(300, wait * 2))
    try {
      return await connectOnce(said, endpoint)
    } catch {
      await new Promise<void>((again) => {
        onWait(again)
        setTimeout(again, wait * 1_000)
      })
    }
  return undefined
}
