import { apiAddress } from '../../../integrations/integrations.ts'
import { settingText } from '../../desk-settings.ts'
import { createDeskApi } from '../desk-api.ts'

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

export const { read: readFromMessaging, send: sendToMessaging } = createDeskApi({
  desk: 'Zendesk messaging',
  refused:
    'Zendesk refused the key of the Conversations API: it was deleted, or belongs to another app. Make a new one in Admin Center, Apps and integrations, APIs, Conversations API.',
  address: messagingApi,
  headers: ({ credentials }) => ({
    authorization: `Basic ${Buffer.from(`${credentials['key_id'] ?? ''}:${credentials['key_secret'] ?? ''}`).toString('base64')}`,
  }),
})
