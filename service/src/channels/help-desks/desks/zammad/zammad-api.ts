import { apiBelow, createDeskApi } from '../desk-api.ts'

/** The address of the API: `https://support.acme.com`; undefined if what is set is no address. */
export const zammadApi = apiBelow('/api/v1')

export const { read: readFromZammad, send: sendToZammad } = createDeskApi({
  desk: 'Zammad',
  refused:
    'Zammad refused the access token: it was deleted or has expired, or its agent lacks ticket.agent, or the rights of the group. Make a new one under the profile of the agent, Token Access, and check the group rights.',
  address: zammadApi,
  headers: ({ credentials }) => ({ authorization: `Token token=${credentials['token'] ?? ''}` }),
})
