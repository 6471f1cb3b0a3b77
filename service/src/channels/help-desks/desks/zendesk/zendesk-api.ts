import { apiAddress } from '../../../integrations/integrations.ts'
import { createDeskApi } from '../desk-api.ts'

/** The address of the API: `https://acme.zendesk.com`; undefined if what is set is no address. */
export function zendeskApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/api/v2`
}

export const { read: readFromZendesk, post: postWithZendesk } = createDeskApi({
  desk: 'Zendesk',
  refused:
    'Zendesk refused the API token: it was deleted, token access is switched off, or its user may not read and update tickets. Make a new one in Admin Center, Apps and integrations, APIs, API tokens.',
  address: zendeskApi,
  headers: ({ credentials }) => ({
    authorization: `Basic ${Buffer.from(`${credentials['email'] ?? ''}/token:${credentials['api_token'] ?? ''}`).toString('base64')}`,
  }),
})
