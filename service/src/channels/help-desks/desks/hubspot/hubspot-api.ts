import { oneLine } from '../../../../kernel/one-line.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { createDeskApi } from '../desk-api.ts'
import { readDesk } from '../desk-http.ts'
import { HubspotRefusal, HubspotToken } from './hubspot-schemas.ts'

const DEFAULT_API = 'https://api.hubapi.com'
export const CONVERSATIONS = '/conversations/v3/conversations'

const WORDS = {
  desk: 'HubSpot',
  refused: (body: unknown): string => {
    const { category, errors } = HubspotRefusal.safeParse(body).data ?? {}
    const scopes = (errors ?? []).flatMap(({ context }) => context?.requiredGranularScopes ?? [])
    return category === 'MISSING_SCOPES'
      ? `The app of HubSpot lacks a scope: ${oneLine(scopes.length > 0 ? scopes.join(', ') : 'conversations.read, conversations.write', 200)}. Add it to the app.`
      : 'HubSpot refused the access token: it was rotated or deleted, or it is not that of an app. Copy it from the app, Auth.'
  },
}

export const hubspotApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export const isHubspotId = (id: string) => /^[1-9]\d{0,17}$/.test(id)
/** A user of HubSpot, as conversations call them. */
export const isAgentId = (id: string) => id.startsWith('A-') && isHubspotId(id.slice(2))

/** A setting that names a user; undefined if it is not set, or something else. */
export function hubspotAgent(
  config: Record<string, unknown>,
  name: 'sender' | 'hand_over_to',
): string | undefined {
  const value = config[name]
  const id = typeof value === 'string' ? value.trim() : ''
  return isAgentId(id) ? id : undefined
}

const { requestOf, readWithHeaders, send } = createDeskApi({
  ...WORDS,
  address: hubspotApi,
  headers: ({ credentials }) => ({ authorization: `Bearer ${credentials['access_token'] ?? ''}` }),
})

export { readWithHeaders as readFromHubspot, send as sendToHubspot }

/** Of which account and app the token is: what is posted with it bears the number of its app. @throws DeskFailure */
export async function readHubspotToken(account: DeskAccount): Promise<HubspotToken | undefined> {
  const request = {
    ...requestOf('/oauth/v2/private-apps/get/access-token-info', account),
    method: 'POST' as const,
    body: { tokenKey: account.credentials['access_token'] ?? '' },
  }
  // It is no resource that could be gone: a token that nobody has is a wrong one.
  const meanings = { 400: 'refused', 404: 'refused' } as const
  return (await readDesk(request, HubspotToken, account, { ...WORDS, meanings }))?.body
}
