import { apiAddress } from '../../../integrations/integrations.ts'

/** Where a cloud of Microsoft publishes the keys of its requests, and gives tokens for answers. */
export interface TeamsCloud {
  /** Its OpenID document: it names the published keys. */
  openIdUrl: string
  issuer: string
  tokenUrl(tenantId: string): string
  scope: string
  /** Where answers go to; undefined: to every https address that the proof of a request names. */
  serviceOrigin: string | undefined
}

const US_GOVERNMENT_API = 'https://api.botframework.us'

const tokenUrlAt = (login: string) => (tenantId: string) =>
  `${login}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`

const PUBLIC: TeamsCloud = {
  openIdUrl: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
  issuer: 'https://api.botframework.com',
  tokenUrl: tokenUrlAt('https://login.microsoftonline.com'),
  scope: 'https://api.botframework.com/.default',
  serviceOrigin: undefined,
}

const US_GOVERNMENT: TeamsCloud = {
  openIdUrl: 'https://login.botframework.azure.us/v1/.well-known/openidconfiguration',
  issuer: US_GOVERNMENT_API,
  tokenUrl: tokenUrlAt('https://login.microsoftonline.us'),
  scope: `${US_GOVERNMENT_API}/.default`,
  serviceOrigin: undefined,
}

/**
 * The cloud that `config.api_url` names: none is the public one, `https://api.botframework.us` that of the US Government; any other address
 * has keys, tokens and conversations itself. Undefined if it is no https address.
 */
export function teamsCloud(config: Record<string, unknown>): TeamsCloud | undefined {
  const address = apiAddress(config, PUBLIC.issuer)
  if (address === undefined) return undefined
  if (address === PUBLIC.issuer) return PUBLIC
  if (address === US_GOVERNMENT_API) return US_GOVERNMENT
  return {
    ...PUBLIC,
    openIdUrl: `${address}/v1/.well-known/openidconfiguration`,
    tokenUrl: tokenUrlAt(address),
    serviceOrigin: new URL(address).origin,
  }
}

/** Whether the token of a bot may be sent to an address that a proven request named. */
export function isServiceUrl(address: string, { serviceOrigin }: TeamsCloud): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return serviceOrigin === undefined ? url.protocol === 'https:' : url.origin === serviceOrigin
}
