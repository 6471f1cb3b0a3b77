import { z } from 'zod'
import { SourceFailure, type ConnectorInput, type SourceCredentials } from '../connector.ts'
import {
  basicAuthorization,
  bearerAuthorization,
  openApiClient,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'

/** What to do if Atlassian does not accept the credentials. */
export const CONNECT_AGAIN =
  'With a connected account: connect it again. In the cloud: make a new API token at id.atlassian.com › Security › API tokens, and enter it here with the e-mail address of its account. On your own server: make a personal access token in your profile, and enter it without an e-mail address.'

/** A site of Confluence or Jira, for one reading. */
export interface AtlassianSite {
  client: RestClient
  /** The same without credentials: what it reads, a stranger may read. Undefined: `client` has none itself. */
  stranger: RestClient | undefined
  /** Path of the product where `client` reads it, without a slash at its end. */
  folder: string
  /** The same at the host of the site. */
  siteFolder: string
  /** Atlassian's cloud, and no server of one's own. */
  isCloud: boolean
}

/** Atlassian's cloud takes an e-mail address with an API token, servers of one's own a personal access token. */
function headersFor(credentials: SourceCredentials = {}): Record<string, string> {
  const { email, token } = credentials
  if (email !== undefined && token !== undefined) return { authorization: basicAuthorization(email, token) }
  return bearerAuthorization(credentials)
}

const isCloudHost = ({ hostname }: URL) => hostname.toLowerCase().endsWith('.atlassian.net')

/** The path of an address; Confluence is at `/wiki` in the cloud, also if that was not entered. */
function folderOf(address: string, product: 'Confluence' | 'Jira'): string {
  const url = new URL(address)
  const folder = url.pathname.replace(/(?<!\/)\/+$/, '')
  return product === 'Confluence' && isCloudHost(url) && folder === '' ? '/wiki' : folder
}

/** Sites that a connected account opens: https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/#3--make-calls-to-the-api-using-the-access-token */
const Sites = z
  .array(z.object({ id: z.string().regex(/^[\w-]{1,100}$/), url: z.string().max(2_048) }))
  .max(1_000)

const GATEWAY = 'https://api.atlassian.com'

/** With a connected account a site is read through Atlassian's gateway: its own host does not take the tokens. */
async function openThroughGateway(
  deps: ApiDeps,
  input: ConnectorInput<{ url: string }>,
  product: 'Confluence' | 'Jira',
): Promise<Pick<AtlassianSite, 'client' | 'folder'>> {
  const origin = deps.apiOrigins[new URL(GATEWAY).host] ?? GATEWAY
  const client = openApiClient(deps, input, { name: product, origin, headers: () => ({}) })
  const { data: sites } = await client.json('/oauth/token/accessible-resources', Sites)
  const asked = new URL(input.config.url).origin
  const site = sites.find(({ url }) => URL.parse(url)?.origin === asked)
  if (site === undefined)
    throw new SourceFailure(
      `The connected Atlassian account does not open ${new URL(asked).host}. Connect it again, and choose that site at Atlassian; a server of your own is read with a token instead.`,
    )
  const folder = product === 'Confluence' ? `/ex/confluence/${site.id}/wiki` : `/ex/jira/${site.id}`
  return { client, folder }
}

/** Who signs in: https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-users/#api-wiki-rest-api-user-current-get */
const SELF = { Confluence: '/rest/api/user/current', Jira: '/rest/api/3/myself' } as const
const Self = z.object({ type: z.string().max(50).nullish() })

/**
 * Makes sure that a token is accepted: a site that strangers may visit answers one that has ended with what a stranger sees, as if the rest
 * were gone. Jira answers 401 here, Confluence with an anonymous user.
 */
async function requireAccount(
  { client, folder }: Pick<AtlassianSite, 'client' | 'folder'>,
  product: 'Confluence' | 'Jira',
): Promise<void> {
  const { data } = await client.json(`${folder}${SELF[product]}`, Self)
  if (data.type === 'anonymous')
    throw new ApiFailure('unauthorized', `${product} does not accept the credentials of this source.`)
}

export async function openAtlassianSite(
  deps: ApiDeps,
  input: ConnectorInput<{ url: string }>,
  product: 'Confluence' | 'Jira',
): Promise<AtlassianSite> {
  const { credentials, config, access } = input
  const api = { name: product, origin: new URL(config.url).origin }
  const siteFolder = folderOf(config.url, product)
  const nobody = { ...input, credentials: undefined, access: undefined }
  const isSignedIn = access !== undefined || credentials?.token !== undefined
  const own =
    access === undefined
      ? {
          client: openApiClient(deps, input, { ...api, headers: () => headersFor(credentials) }),
          folder: siteFolder,
        }
      : await openThroughGateway(deps, input, product)
  if (isSignedIn && access === undefined) await requireAccount(own, product)
  return {
    ...own,
    stranger: isSignedIn ? openApiClient(deps, nobody, { ...api, headers: () => ({}) }) : undefined,
    siteFolder,
    // The cloud may be at a domain of one's own; only its tokens come with an e-mail address.
    isCloud: access !== undefined || credentials?.email !== undefined || isCloudHost(new URL(config.url)),
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
