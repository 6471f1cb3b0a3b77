import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { postedTo, readDesk } from '../desk-http.ts'

const MAX_BYTES = 4 * 1_048_576

const WORDS = {
  desk: 'Zammad',
  refused:
    'Zammad refused the access token: it was deleted or has expired, or its agent lacks ticket.agent, or the rights of the group. Make a new one under the profile of the agent, Token Access, and check the group rights.',
}

/** The address of the API: `https://support.acme.com`; undefined if what is set is no address. */
export function zammadApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/api/v1`
}

const requestOf = (path: string, { config, credentials }: DeskAccount) => ({
  url: `${zammadApi(config) ?? 'https://invalid.invalid'}${path}`,
  headers: { authorization: `Token token=${credentials['token'] ?? ''}` },
  maxBytes: MAX_BYTES,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromZammad<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  return (await readDesk(requestOf(path, account), schema, account, WORDS))?.body
}

/** @param isRepeatable whether Zammad does one thing if it is sent twice: a change is, an article is not */
export const sendToZammad = async (
  method: 'POST' | 'PUT',
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
  isRepeatable: boolean,
): Promise<PostOutcome> =>
  await postedTo({ ...requestOf(path, account), method, body }, account, { ...WORDS, isRepeatable })
