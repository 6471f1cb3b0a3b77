import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import { settingText } from '../../desk-settings.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { readDesk } from '../desk-http.ts'

/** A page of messages: a hundred of 4,096 characters, with everything that belongs to them. */
const MAX_BYTES = 4 * 1_048_576

export const MESSAGING_NAME = 'Zendesk messaging'
export const MESSAGING_REFUSED =
  'Zendesk refused the key of the Conversations API: it was deleted, or belongs to another app. Make a new one in Admin Center, Apps and integrations, APIs, Conversations API.'

const isId = (id: string) => /^[\w-]{1,100}$/.test(id)

export const isConversationId = isId

/** The app whose conversations are answered. */
export function appOf(config: Record<string, unknown>): string | undefined {
  const app = settingText(config['app_id'])
  return app !== undefined && isId(app) ? app : undefined
}

/** Name or id of the switchboard integration that is this service. */
export const ourSwitchboardIntegration = (config: Record<string, unknown>): string =>
  settingText(config['switchboard_integration']) ?? 'citewell'

/** The address of what belongs to the app; undefined if what is set is no address of a Zendesk, or no app. */
export function messagingApi(config: Record<string, unknown>): string | undefined {
  const address = apiAddress(config, undefined)
  const app = appOf(config)
  return address === undefined || app === undefined ? undefined : `${address}/sc/v2/apps/${app}`
}

/** The address of a resource, and the headers with which it is reached. */
export const messagingRequest = (path: string, { config, credentials }: DeskAccount) => ({
  url: `${messagingApi(config) ?? 'https://invalid.invalid'}${path}`,
  headers: {
    authorization: `Basic ${Buffer.from(`${credentials['key_id'] ?? ''}:${credentials['key_secret'] ?? ''}`).toString('base64')}`,
  },
  maxBytes: MAX_BYTES,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromMessaging<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  const words = { desk: MESSAGING_NAME, refused: MESSAGING_REFUSED }
  return (await readDesk(messagingRequest(path, account), schema, account, words))?.body
}
