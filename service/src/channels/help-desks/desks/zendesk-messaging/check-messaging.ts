import { oneLine } from '../../../../kernel/one-line.ts'
import { readDeskSettings } from '../../desk-settings.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { checkDesk } from '../check-desk.ts'
import { appOf, messagingApi, ourSwitchboardIntegration, readFromMessaging } from './messaging-api.ts'
import { NO_NOTES } from './messaging-posts.ts'
import { MessagingApp, SwitchboardIntegrations, Switchboards } from './messaging-schemas.ts'

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (messagingApi({ ...config, app_id: 'any' }) === undefined)
    yield 'The setting api_url is missing, or is not an https address: that of your Zendesk, such as https://acme.zendesk.com.'
  if (appOf(config) === undefined)
    yield 'The setting app_id is missing: the App ID that the Conversations API shows with its key.'
  if ((credentials['key_id'] ?? '') === '') yield 'The credential key_id is missing.'
  if ((credentials['key_secret'] ?? '') === '') yield 'The credential key_secret is missing.'
  if ((credentials['shared_secret'] ?? '') === '')
    yield 'The credential shared_secret is missing: the shared secret of the conversations integration. Without it, nothing that Zendesk sends is taken.'
  if (readDeskSettings(config, 'chats').mode === 'draft') yield NO_NOTES
}

/** Whether the switchboard gives conversations to this service, and takes them back. */
async function* missingInSwitchboard(account: DeskAccount): AsyncGenerator<string> {
  const { switchboards = [] } = (await readFromMessaging('/switchboards', Switchboards, account)) ?? {}
  const board = switchboards.find(({ enabled }) => enabled !== false)
  if (board === undefined) {
    yield 'The app has no switchboard that is on, so nothing says who answers a conversation.'
    return
  }
  const path = `/switchboards/${board.id}/switchboardIntegrations`
  const read = await readFromMessaging(path, SwitchboardIntegrations, account)
  const integrations = read?.switchboardIntegrations ?? []
  const find = (wanted: string) =>
    integrations.find(({ id, name, integrationId }) => [id, name, integrationId].includes(wanted))
  const us = ourSwitchboardIntegration(account.config)
  const ours = find(us)
  if (ours === undefined)
    yield `The switchboard has no integration named ${oneLine(us, 80)}: make one, or set switchboard_integration to the name of yours.`
  const { handOverTo } = readDeskSettings(account.config, 'chats')
  if (handOverTo !== undefined && find(handOverTo) === undefined)
    yield `The switchboard has no integration named ${oneLine(handOverTo, 80)}, which hand_over_to names.`
  if (ours !== undefined && handOverTo === undefined && (ours.nextSwitchboardIntegrationId ?? '') === '')
    yield 'The switchboard does not say who comes after this service: set hand_over_to to the name of the integration of your people.'
}

/** Whether the key opens the app, and the switchboard has a place for this service. Nothing is posted. */
export const checkMessaging = checkDesk({
  address: messagingApi,
  missingHere,
  async *ask(account) {
    const read = await readFromMessaging('', MessagingApp, account)
    if (read === undefined) {
      yield 'This Zendesk has no app with this App ID.'
      return undefined
    }
    yield* missingInSwitchboard(account)
    return `${oneLine(read.app.displayName ?? read.app.id, 80)} in Zendesk messaging`
  },
})
