import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { textOfSetting } from '../chosen-parts.ts'
import { readDesk } from '../desk-http.ts'

/** The largest answer that is read: one message of a ticket with its attachments, as JSON. */
const MAX_BYTES = 4 * 1_048_576

export const RT = 'Request Tracker'
export const RT_REFUSED =
  'Request Tracker refused the token: it has expired, or its user lacks a right. Make a new one, and check the rights of the user on the queue.'

/** The address of the API; undefined if what is set is no address. */
export function rtApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/REST/2.0`
}

export const isTicketId = (id: string) => /^\d{1,12}$/.test(id)

export const settingOf = (config: Record<string, unknown>, name: string): string | undefined => {
  const text = textOfSetting(config[name]).trim()
  return text === '' ? undefined : text.slice(0, 300)
}

export const rtHeaders = ({ credentials }: DeskAccount) => ({
  authorization: `token ${credentials['token'] ?? ''}`,
  // Proxies that compress an answer change its ETag, and RT does not know the changed one.
  'accept-encoding': 'identity',
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromRt<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<{ body: z.infer<Schema>; headers: Headers } | undefined> {
  const request = {
    url: `${rtApi(account.config) ?? 'https://invalid.invalid'}${path}`,
    headers: rtHeaders(account),
    maxBytes: MAX_BYTES,
  }
  return await readDesk(request, schema, account, { desk: RT, refused: RT_REFUSED })
}
