import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import { settingText } from '../../desk-settings.ts'
import { DeskFailure, type DeskAccount } from '../../help-desk.ts'
import { checkDesk, isShown } from '../check-desk.ts'
import { idsOf, problemsOf } from '../chosen-parts.ts'
import { frontApi, frontId, isFrontId, readFromFront } from './front-api.ts'
import { frontInboxes } from './front-conversation.ts'
import { FrontEvents, FrontList, FrontNamed } from './front-schemas.ts'

const PLACES = { cha: 'channels', inb: 'inboxes', tag: 'tags', tea: 'teammates' } as const
type Kind = keyof typeof PLACES
/** Of which is looked whether they are there. */
const MAX_INBOXES = 10

/** Settings that are ids, and what they may be. */
const IDS: Record<string, readonly Kind[]> = {
  teammate: ['tea'],
  channel: ['cha'],
  hand_over_to: ['tea', 'inb'],
  answered_tag: ['tag'],
  unanswered_tag: ['tag'],
}

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (frontApi(config) === undefined) yield API_URL_WRONG
  if ((credentials['api_token'] ?? '') === '') yield 'The credential api_token is missing.'
  if (settingText(config['teammate']) === undefined)
    yield 'The setting teammate is missing: the id of the teammate that answers, such as tea_123.'
  if (config['mode'] === 'draft' && frontId(config, 'channel', 'cha') === undefined)
    yield 'The setting channel is missing: drafts are kept for a channel, such as cha_123.'
  yield* problemsOf('inboxes', frontInboxes(config), 'inb_123')
}

/** What the token may not read. @throws DeskFailure if it is refused */
async function* forbiddenThere(account: DeskAccount): AsyncGenerator<string> {
  const needed = [
    ['conversations', '/conversations?limit=1', FrontList],
    ['events', '/events?limit=1', FrontEvents],
  ] as const
  for (const [what, path, schema] of needed) {
    try {
      await readFromFront(path, schema, account)
    } catch (failure) {
      if (!(failure instanceof DeskFailure) || !failure.isForbidden) throw failure
      yield `The token may not read ${what}: make one for shared resources, with Read, Write and Send.`
    }
  }
}

/** The settings that name nothing in Front. */
async function* wrongIds(account: DeskAccount): AsyncGenerator<string> {
  for (const [name, kinds] of Object.entries(IDS)) {
    const id = settingText(account.config[name])
    const kind = kinds.find((one) => id !== undefined && isFrontId(id, one))
    if (id !== undefined && kind === undefined)
      yield `The setting ${name} is no id such as ${kinds.map((one) => `${one}_123`).join(' or ')}: ${oneLine(id, 80)}.`
    else if (id !== undefined && kind !== undefined && !(await isThere(`/${PLACES[kind]}/${id}`, account)))
      yield `Front has no ${id}, which is set as ${name}, or the token may not see it.`
  }
  for (const id of idsOf(frontInboxes(account.config)).slice(0, MAX_INBOXES))
    if (!(await isThere(`/inboxes/${id}`, account)))
      yield `Front has no inbox ${id}, or the token may not see it.`
}

const isThere = (path: string, account: DeskAccount) =>
  isShown(() => readFromFront(path, FrontNamed, account))

export const checkFront = checkDesk({
  address: frontApi,
  missingHere,
  async *ask(account) {
    const me = await readFromFront('/me', FrontNamed, account)
    if (me === undefined) {
      yield 'There is no Front at this address.'
      return undefined
    }
    yield* forbiddenThere(account)
    yield* wrongIds(account)
    return `${oneLine(me.name ?? me.id, 80)} in Front`
  },
})
