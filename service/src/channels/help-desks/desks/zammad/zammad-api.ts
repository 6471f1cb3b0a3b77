import { apiAddress } from '../../../integrations/integrations.ts'
import { createDeskApi } from '../desk-api.ts'

/** The address of the API: `https://support.acme.com`; undefined if what is set is no address. */
export function zammadApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/api/v1`
}

export const { read: readFromZammad, send: sendToZammad } = createDeskApi({
  desk: 'Zammad',
  refused:
    'Zammad refused the access token: it was deleted or has expired, or its agent lacks ticket.agent, or the rights of the group. Make a new one under the profile of the agent, Token Access, and check the group rights.',
  address: zammadApi,
  headers: ({ credentials }) => ({ authorization: `Token token=${credentials['token'] ?? ''}` }),
})
