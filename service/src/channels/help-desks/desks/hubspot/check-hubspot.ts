import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import { settingText } from '../../desk-settings.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { checkDesk } from '../check-desk.ts'
import { idsOf, problemsOf } from '../chosen-parts.ts'
import { CONVERSATIONS, hubspotApi, isAgentId, readFromHubspot, readHubspotToken } from './hubspot-api.ts'
import { HubspotNamed, HubspotThreads } from './hubspot-schemas.ts'
import { hubspotInboxes } from './hubspot-thread.ts'

const MAX_INBOXES = 10
const SCOPES = ['conversations.read', 'conversations.write']
/** Settings that name a user. */
const AGENTS = ['sender', 'hand_over_to']

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (hubspotApi(config) === undefined) yield API_URL_WRONG
  if ((credentials['access_token'] ?? '') === '') yield 'The credential access_token is missing.'
  if (settingText(config['sender']) === undefined)
    yield 'The setting sender is missing: the user that answers, such as A-123.'
  yield* problemsOf('inboxes', hubspotInboxes(config), '123')
  for (const name of AGENTS) {
    const id = settingText(config[name])
    if (id !== undefined && !isAgentId(id))
      yield `The setting ${name} is no user such as A-123: ${oneLine(id, 80)}. It is A- and the id of the user.`
  }
}

/** The settings that name nothing in HubSpot. @throws DeskFailure */
async function* wrongIds(account: DeskAccount): AsyncGenerator<string> {
  const isThere = async (path: string) =>
    (await readFromHubspot(`${CONVERSATIONS}${path}`, HubspotNamed, account)) !== undefined
  for (const id of idsOf(hubspotInboxes(account.config)).slice(0, MAX_INBOXES))
    if (!(await isThere(`/inboxes/${id}`))) yield `HubSpot has no inbox ${id}.`
  for (const name of AGENTS) {
    const id = settingText(account.config[name]) ?? ''
    if (isAgentId(id) && !(await isThere(`/actors/${id}`)))
      yield `HubSpot has no user ${id}, which is set as ${name}.`
  }
}

export const checkHubspot = checkDesk({
  address: hubspotApi,
  missingHere,
  async *ask(account) {
    const token = await readHubspotToken(account)
    if (token === undefined) {
      yield 'There is no HubSpot at this address.'
      return undefined
    }
    const lacking = SCOPES.filter((scope) => !(token.scopes ?? SCOPES).includes(scope))
    if (lacking.length > 0)
      yield `The app of HubSpot lacks a scope: ${lacking.join(', ')}. Add it to the app.`
    if (!lacking.includes('conversations.read')) {
      await readFromHubspot(`${CONVERSATIONS}/threads?limit=1`, HubspotThreads, account)
      yield* wrongIds(account)
    }
    return `account ${oneLine(token.hubId, 80)} of HubSpot`
  },
})
