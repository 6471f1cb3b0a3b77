import type { ConnectorInput, SourceCredentials } from '../connector.ts'
import {
  basicAuthorization,
  bearerAuthorization,
  openApiClient,
  type ApiDeps,
} from '../rest/api-connector.ts'
import type { RestClient } from '../rest/rest-client.ts'

/** What to do if Atlassian does not accept the credentials. */
export const CONNECT_AGAIN =
  'In the cloud: make a new API token at id.atlassian.com › Security › API tokens, and enter it here with the e-mail address of its account. On your own server: make a personal access token in your profile, and enter it without an e-mail address.'

/** A site of Confluence or Jira, for one reading. */
export interface AtlassianSite {
  client: RestClient
  /** The same without credentials: what it reads, a stranger may read. Undefined: `client` has none itself. */
  stranger: RestClient | undefined
  /** Path of the product at its host, without a slash at its end. */
  folder: string
}

/** Atlassian's cloud takes an e-mail address with an API token, servers of one's own a personal access token. */
function headersFor(credentials: SourceCredentials = {}): Record<string, string> {
  const { email, token } = credentials
  if (email !== undefined && token !== undefined) return { authorization: basicAuthorization(email, token) }
  return bearerAuthorization(credentials)
}

/** The path of an address; Confluence is at `/wiki` in the cloud, also if that was not entered. */
function folderOf(address: string, product: 'Confluence' | 'Jira'): string {
  const { hostname, pathname } = new URL(address)
  const folder = pathname.replace(/(?<!\/)\/+$/, '')
  const isCloud = hostname.toLowerCase().endsWith('.atlassian.net')
  return product === 'Confluence' && isCloud && folder === '' ? '/wiki' : folder
}

export function openAtlassianSite(
  deps: ApiDeps,
  input: ConnectorInput<{ url: string }>,
  product: 'Confluence' | 'Jira',
): AtlassianSite {
  const { credentials, config } = input
  const api = { name: product, origin: new URL(config.url).origin }
  const isSignedIn = credentials?.token !== undefined
  return {
    client: openApiClient(deps, input, { ...api, headers: () => headersFor(credentials) }),
    stranger: isSignedIn
      ? openApiClient(deps, { ...input, credentials: undefined }, { ...api, headers: () => ({}) })
      : undefined,
    folder: folderOf(config.url, product),
  }
}

/** Changes before the last reading that are asked for again: clocks and indexes of both sides may differ by this much. */
const OVERLAP_MINUTES = 10

/**
 * Minutes to look back, for queries that count from the server's present: times in queries would be taken as of the time zone of the
 * account.
 *
 * @param since when the last reading began, by our clock, in milliseconds since 1970
 */
export const minutesSince = (since: number, now: number): number =>
  Math.max(0, Math.ceil((now - since) / 60_000)) + OVERLAP_MINUTES
