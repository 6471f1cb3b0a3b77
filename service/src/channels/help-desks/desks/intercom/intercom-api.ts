import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { createDeskApi } from '../desk-api.ts'
import { IntercomMe } from './intercom-schemas.ts'

const DEFAULT_API = 'https://api.intercom.io'
/** Another version may answer in another form. */
const VERSION = '2.14'

export const intercomApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export const { read: readFromIntercom, send: sendToIntercom } = createDeskApi({
  desk: 'Intercom',
  refused:
    'Intercom refused the access token: it was withdrawn, or the app may not read and write conversations. Copy the one under Developer Hub, the app, Authentication.',
  address: intercomApi,
  headers: ({ credentials }) => ({
    authorization: `Bearer ${credentials['access_token'] ?? ''}`,
    'intercom-version': VERSION,
  }),
})

/** The teammate that answers: the one that the owner chose, or the one of the token. @throws DeskFailure */
export async function intercomTeammate(account: DeskAccount): Promise<string | undefined> {
  const chosen = account.config['admin_id']
  if (typeof chosen === 'string' && /^\d{1,20}$/.test(chosen.trim())) return chosen.trim()
  return (await readFromIntercom('/me', IntercomMe, account))?.id
}
