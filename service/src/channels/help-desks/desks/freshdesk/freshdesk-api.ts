import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { apiBelow, createDeskApi } from '../desk-api.ts'
import { FreshdeskError } from './freshdesk-schemas.ts'

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

export const isFreshdeskId = (id: string) => /^[1-9]\d{0,17}$/.test(id)

/** The address of the API: `https://acme.freshdesk.com`; undefined if what is set is no address. */
export const freshdeskApi = apiBelow('/api/v2')

const { read, send } = createDeskApi({
  desk: 'Freshdesk',
  refused: whyRefused,
  address: freshdeskApi,
  headers: ({ credentials }) => ({
    // The key is the name; any password will do.
    authorization: `Basic ${Buffer.from(`${credentials['api_key'] ?? ''}:X`).toString('base64')}`,
  }),
})

export const readFromFreshdesk = read

/** Sends a change. A message that is sent twice is posted twice; a change that is sent twice is one. */
export const sendToFreshdesk = (
  method: 'POST' | 'PUT',
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
): Promise<PostOutcome> => send(method, path, body, account, method === 'PUT')
