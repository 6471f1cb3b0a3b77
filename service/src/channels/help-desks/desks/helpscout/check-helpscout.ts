import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import { settingText } from '../../desk-settings.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { checkDesk, isShown } from '../check-desk.ts'
import { idsOf, problemsOf } from '../chosen-parts.ts'
import { helpscoutApi, isHelpscoutId, type HelpscoutApi } from './helpscout-api.ts'
import { helpscoutInboxes } from './helpscout-conversation.ts'
import { HelpscoutInbox, HelpscoutTeams, HelpscoutUser } from './helpscout-schemas.ts'

const MAX_INBOXES = 10

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (helpscoutApi(config) === undefined) yield API_URL_WRONG
  for (const name of ['app_id', 'app_secret'])
    if ((credentials[name] ?? '') === '') yield `The credential ${name} is missing.`
  yield* problemsOf('inboxes', helpscoutInboxes(config), '123')
  const to = settingText(config['hand_over_to'])
  if (to !== undefined && !isHelpscoutId(to))
    yield `The setting hand_over_to is not the id of a user or team: ${oneLine(to, 80)}.`
}

const isThere = (api: HelpscoutApi, path: string, account: DeskAccount) =>
  isShown(() => api.read(path, HelpscoutInbox, account))

/** The settings that name nothing in Help Scout. */
async function* wrongIds(api: HelpscoutApi, account: DeskAccount): AsyncGenerator<string> {
  for (const id of idsOf(helpscoutInboxes(account.config)).slice(0, MAX_INBOXES))
    if (!(await isThere(api, `/mailboxes/${id}`, account)))
      yield `Help Scout has no inbox ${id}, or the user of the app may not see it.`
  const to = settingText(account.config['hand_over_to']) ?? ''
  if (!isHelpscoutId(to) || (await isThere(api, `/users/${to}`, account))) return
  const teams = (await api.read('/teams', HelpscoutTeams, account))?.body ?? []
  if (!teams.includes(to)) yield `Help Scout has no user or team ${to}, which is set as hand_over_to.`
}

export const checkHelpscout = (api: HelpscoutApi) =>
  checkDesk({
    address: helpscoutApi,
    missingHere,
    async *ask(account) {
      const me = (await api.read('/users/me', HelpscoutUser, account))?.body
      if (me === undefined) {
        yield 'There is no Help Scout at this address.'
        return undefined
      }
      yield* wrongIds(api, account)
      const name = [me.firstName, me.lastName].filter((part) => (part ?? '') !== '').join(' ')
      return `${oneLine(name === '' ? (me.email ?? me.id) : name, 80)} in Help Scout`
    },
  })
