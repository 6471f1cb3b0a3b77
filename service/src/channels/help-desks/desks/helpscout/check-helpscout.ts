import { oneLine } from '../../../../kernel/one-line.ts'
import { settingText } from '../../desk-settings.ts'
import { DeskFailure, type DeskAccount, type HelpDesk } from '../../help-desk.ts'
import { idsOf, problemsOf } from '../chosen-parts.ts'
import { helpscoutApi, isHelpscoutId, type HelpscoutApi } from './helpscout-api.ts'
import { helpscoutInboxes } from './helpscout-conversation.ts'
import { HelpscoutInbox, HelpscoutTeams, HelpscoutUser } from './helpscout-schemas.ts'

const MAX_INBOXES = 10

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (helpscoutApi(config) === undefined) yield 'The setting api_url is not an https address.'
  for (const name of ['app_id', 'app_secret'])
    if ((credentials[name] ?? '') === '') yield `The credential ${name} is missing.`
  yield* problemsOf('inboxes', helpscoutInboxes(config), '123')
  const to = settingText(config['hand_over_to'])
  if (to !== undefined && !isHelpscoutId(to))
    yield `The setting hand_over_to is not the id of a user or team: ${oneLine(to, 80)}.`
}

/** Undefined also if its user may not see it. */
async function isThere(api: HelpscoutApi, path: string, account: DeskAccount): Promise<boolean> {
  try {
    return (await api.read(path, HelpscoutInbox, account)) !== undefined
  } catch (failure) {
    if (failure instanceof DeskFailure && failure.isForbidden) return false
    throw failure
  }
}

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

export const checkHelpscout =
  (api: HelpscoutApi): HelpDesk['check'] =>
  async (account) => {
    const problems = [...missingHere(account)]
    if (helpscoutApi(account.config) === undefined) return { account: undefined, problems }
    try {
      const me = (await api.read('/users/me', HelpscoutUser, account))?.body
      if (me === undefined)
        return { account: undefined, problems: [...problems, 'There is no Help Scout at this address.'] }
      for await (const problem of wrongIds(api, account)) problems.push(problem)
      const name = [me.firstName, me.lastName].filter((part) => (part ?? '') !== '').join(' ')
      return { account: `${oneLine(name === '' ? (me.email ?? me.id) : name, 80)} in Help Scout`, problems }
    } catch (failure) {
      if (!(failure instanceof DeskFailure)) throw failure
      return { account: undefined, problems: [...problems, failure.message] }
    }
  }
