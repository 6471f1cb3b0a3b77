import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { readDesk } from '../desk-http.ts'
import { IntercomMe } from './intercom-schemas.ts'

const MAX_BYTES = 4 * 1_048_576
const DEFAULT_API = 'https://api.intercom.io'
/** Another version may answer in another form. */
const VERSION = '2.14'

export const INTERCOM_NAME = 'Intercom'
export const INTERCOM_REFUSED =
  'Intercom refused the access token: it was withdrawn, or the app may not read and write conversations. Copy the one under Developer Hub, the app, Authentication.'

export const intercomApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

/** The address of a resource, and the headers with which it is reached. */
export const intercomRequest = (path: string, { config, credentials }: DeskAccount) => ({
  url: `${intercomApi(config) ?? 'https://invalid.invalid'}${path}`,
  headers: {
    authorization: `Bearer ${credentials['access_token'] ?? ''}`,
    'intercom-version': VERSION,
  },
  maxBytes: MAX_BYTES,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromIntercom<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  const words = { desk: INTERCOM_NAME, refused: INTERCOM_REFUSED }
  return (await readDesk(intercomRequest(path, account), schema, account, words))?.body
}

/** The teammate that answers: the one that the owner chose, or the one of the token. @throws DeskFailure */
export async function intercomTeammate(account: DeskAccount): Promise<string | undefined> {
  const chosen = account.config['admin_id']
  if (typeof chosen === 'string' && /^\d{1,20}$/.test(chosen.trim())) return chosen.trim()
  return (await readFromIntercom('/me', IntercomMe, account))?.id
}
