import type { z } from 'zod'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { postedTo, readDesk } from '../desk-http.ts'
import { FreshdeskError } from './freshdesk-schemas.ts'

const MAX_BYTES = 4 * 1_048_576

const REFUSED =
  'Freshdesk refused the API key: it was reset, or its agent was deactivated or may not do this. Copy the key under Profile settings of the agent that answers, and check its role.'
/** https://developers.freshdesk.com/api/#error_codes */
const WHY: Record<string, string> = {
  account_suspended: 'Freshdesk suspended this account: its trial or its plan has ended.',
  require_feature: 'The plan of this Freshdesk has no API for this. Its owner has to choose another plan.',
}

/** Its answer says why in a code, where it is no matter of the key. */
function whyRefused(body: unknown): string {
  const code = FreshdeskError.safeParse(body).data?.code ?? ''
  return (Object.hasOwn(WHY, code) ? WHY[code] : undefined) ?? REFUSED
}

const WORDS = { desk: 'Freshdesk', refused: whyRefused }

export const isFreshdeskId = (id: string) => /^[1-9]\d{0,17}$/.test(id)

/** The address of the API: `https://acme.freshdesk.com`; undefined if what is set is no address. */
export function freshdeskApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  return address === undefined ? undefined : `${address}/api/v2`
}

const requestOf = (path: string, { config, credentials }: DeskAccount) => ({
  url: `${freshdeskApi(config) ?? 'https://invalid.invalid'}${path}`,
  headers: {
    // The key is the name; any password will do.
    authorization: `Basic ${Buffer.from(`${credentials['api_key'] ?? ''}:X`).toString('base64')}`,
  },
  maxBytes: MAX_BYTES,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromFreshdesk<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  return (await readDesk(requestOf(path, account), schema, account, WORDS))?.body
}

/** Sends a change. Freshdesk makes one post of no two requests. */
export const sendToFreshdesk = async (
  method: 'POST' | 'PUT',
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
): Promise<PostOutcome> =>
  await postedTo({ ...requestOf(path, account), method, body }, account, {
    ...WORDS,
    // A message that is sent twice is posted twice; a change that is sent twice is one.
    isRepeatable: method === 'PUT',
  })
