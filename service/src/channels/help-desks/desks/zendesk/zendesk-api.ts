import { apiBelow, createDeskApi } from '../desk-api.ts'

/** The address of the API: `https://acme.zendesk.com`; undefined if what is set is no address. */
export const zendeskApi = apiBelow('/api/v2')

export const { read: readFromZendesk, post: postWithZendesk } = createDeskApi({
  desk: 'Zendesk',
  refused:
    'Zendesk refused the API token: it was deleted, token access is switched off, or its user may not read and update tickets. Make a new one in Admin Center, Apps and integrations, APIs, API tokens.',
  address: zendeskApi,
  headers: ({ credentials }) => ({
    authorization: `Basic ${Buffer.from(`${credentials['email'] ?? ''}/token:${credentials['api_token'] ?? ''}`).toString('base64')}`,
  }),
})
