import { oneLine } from '../../../../kernel/one-line.ts'
import { settingText } from '../../desk-settings.ts'
import { DeskFailure, type DeskAccount } from '../../help-desk.ts'
import { checkDesk } from '../check-desk.ts'
import {
  chatwootAccount,
  chatwootApi,
  inAccount,
  IS_BOT,
  isChatwootId,
  readAsBot,
  readFromChatwoot,
} from './chatwoot-api.ts'
import { ChatwootAny, ChatwootProfile, ChatwootTeam } from './chatwoot-schemas.ts'

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (chatwootApi(config) === undefined)
    yield 'The setting api_url is not an https address: that of your Chatwoot, such as https://chat.acme.com.'
  if (chatwootAccount(config) === undefined)
    yield 'The setting account_id is missing: the number after /accounts/ in the address of your Chatwoot.'
  for (const name of ['agent_token', 'bot_token'])
    if ((credentials[name] ?? '') === '') yield `The credential ${name} is missing.`
  if ((credentials['hook_secret'] ?? '') === '')
    yield 'The credential hook_secret is missing: the secret of the bot. Without it, nothing that Chatwoot sends is taken.'
  const to = settingText(config['hand_over_to'])
  if (to !== undefined && !isChatwootId(to))
    yield `The setting hand_over_to is not the number of a team: ${oneLine(to, 80)}.`
}

/** A bot may read nothing, and Chatwoot says so only to one that it knows. */
async function* missingOfBot(account: DeskAccount): AsyncGenerator<string> {
  if ((account.credentials['bot_token'] ?? '') === '') return
  try {
    await readAsBot(inAccount('/conversations', account), ChatwootAny, account)
    yield 'The credential bot_token is one of a person: what is posted would count as theirs. Take that of the bot.'
  } catch (failure) {
    if (!(failure instanceof DeskFailure) || !failure.isUnauthorized) throw failure
    if (failure.message !== IS_BOT) yield 'Chatwoot does not know bot_token: the access token of the bot.'
  }
}

async function* missingThere(account: DeskAccount): AsyncGenerator<string> {
  yield* missingOfBot(account)
  const to = settingText(account.config['hand_over_to']) ?? ''
  if (!isChatwootId(to)) return
  const team = await readFromChatwoot(inAccount(`/teams/${to}`, account), ChatwootTeam, account)
  if (team === undefined) yield `Chatwoot has no team ${to}, which is set as hand_over_to.`
}

export const checkChatwoot = checkDesk({
  address: chatwootApi,
  missingHere,
  async *ask(account) {
    const me = await readFromChatwoot('/profile', ChatwootProfile, account)
    if (me === undefined) {
      yield 'There is no Chatwoot at this address.'
      return undefined
    }
    const id = chatwootAccount(account.config)
    if (id !== undefined && (me.accounts ?? []).some((one) => one.id === id)) yield* missingThere(account)
    else if (id !== undefined) yield `The agent of agent_token does not belong to the account ${id}.`
    return `${oneLine(me.name ?? me.email ?? me.id, 80)} in Chatwoot`
  },
})
