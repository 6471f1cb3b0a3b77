import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { readDesk } from '../desk-http.ts'

const MAX_BYTES = 4 * 1_048_576

export const ZENDESK_NAME = 'Zendesk'
export const ZENDESK_REFUSED =
  'Zendesk refused the API token: it was deleted, token access is switched off, or its user may not read and update tickets. Make a new one in Admin Center, Apps and integrations, APIs, API tokens.'

/** The address of the API: `https://acme.zendesk.com`; undefined if what is set is no address. */
export function zendeskApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/api/v2`
}

export const zendeskHeaders = ({ credentials }: DeskAccount) => ({
  authorization: `Basic ${Buffer.from(`${credentials['email'] ?? ''}/token:${credentials['api_token'] ?? ''}`).toString('base64')}`,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromZendesk<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  const request = {
    url: `${zendeskApi(account.config) ?? 'https://invalid.invalid'}${path}`,
    headers: zendeskHeaders(account),
    maxBytes: MAX_BYTES,
  }
  return (await readDesk(request, schema, account, { desk: ZENDESK_NAME, refused: ZENDESK_REFUSED }))?.body
}
