import type { SaidOptions } from '../options/given-options.ts'
import type { PublicConfig } from '../options/public-config.ts'

/** What the service knows of the page's widget. */
export interface Connection {
  clientKey: string
  config: PublicConfig
}

/** The service answered that this page has no widget. Asking again changes nothing. */
export interface RefusedConnection {
  code: string
  error: string
  request_id?: string
}

/** Resolves with what the service answered, rejects if it could not answer. */
async function read<Body>(address: string, clientKey?: string): Promise<Body | RefusedConnection> {
  const answer = await fetch(address, {
    credentials: 'omit',
    headers: clientKey ? { 'X-Client-Key': clientKey } : {},
  })
  if (answer.status === 429 || answer.status > 499) throw new Error()
  return (await answer.json()) as Body | RefusedConnection
}

/**
 * Reads the settings of the page's widget. A tag without a client key asks for that of the base's own widget first. Rejects if
 * the service cannot be reached or is not well: then it is worth asking again later.
 */
export async function connect(
  { knowledgeBaseId, widgetId, clientKey }: SaidOptions,
  endpoint: string,
): Promise<Connection | RefusedConnection> {
  const path = widgetId ? `widget-integrations/${widgetId}/` : `knowledge-bases/${knowledgeBaseId}/widget-`
  const of = `${endpoint}api/v1/public/${path}`
  let key = clientKey
  if (!key) {
    const found = await read<{ client_key: string }>(`${of}${widgetId ? 'widget-' : ''}key`)
    if ('code' in found) return found
    key = found.client_key
  }
  const config = await read<PublicConfig>(`${of}config`, key)
  return 'code' in config ? config : { clientKey: key, config }
}
