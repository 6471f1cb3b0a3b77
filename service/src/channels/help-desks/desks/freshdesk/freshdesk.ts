import { parseJson } from '../../../../kernel/json.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'
import type { HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import { settingText } from '../../desk-settings.ts'
import { DeskFailure, type DeskAccount, type HelpDesk } from '../../help-desk.ts'
import { checkDesk } from '../check-desk.ts'
import { idsOf, problemsOf } from '../chosen-parts.ts'
import { freshdeskApi, isFreshdeskId, readFromFreshdesk } from './freshdesk-api.ts'
import { changedInFreshdesk } from './freshdesk-changes.ts'
import { freshdeskGroups } from './freshdesk-part.ts'
import { openFreshdeskTicket, postToFreshdesk } from './freshdesk-posts.ts'
import { FreshdeskAgent, FreshdeskHook, FreshdeskNamed, FreshdeskTickets } from './freshdesk-schemas.ts'
import { readFreshdeskTicket } from './freshdesk-ticket.ts'

/** A hook makes answers quick; without one, or if it is dropped, this is how late a ticket is seen. A reading is one request of 50 a minute. */
const READ_EVERY_MS = 60_000
/** A secret that the owner makes up has to be one. */
const LEAST_SECRET = 20
const ASSIGNED_ONLY = 3

/** Freshdesk signs nothing, and gives its deliveries no ids: each only says which ticket to look at. */
const hookOf = (now: () => Date): HookPlatform<DeskIncoming> => ({
  verify: ({ credentials, headers }) => {
    const secret = credentials['hook_secret'] ?? ''
    return secret.length >= LEAST_SECRET && isEqualInConstantTime(secret, headers.get('x-citewell-secret'))
  },
  read: ({ rawBody }) => {
    const given = FreshdeskHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const ticketId = given?.ticket_id.trim() ?? ''
    if (!isFreshdeskId(ticketId)) return { reply: {} }
    // The body of each is the same: what comes later tells of something else, and the ticket is answered once.
    const deliveryId = `${ticketId} ${now().getTime()}`
    return { reply: {}, event: { deliveryId, lane: ticketId, incoming: { kind: 'ticket', ticketId } } }
  },
})

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (freshdeskApi(config) === undefined)
    yield 'The setting api_url is missing, or is not an https address: that of your Freshdesk, such as https://acme.freshdesk.com.'
  if ((credentials['api_key'] ?? '') === '') yield 'The credential api_key is missing.'
  const secret = credentials['hook_secret'] ?? ''
  if (secret !== '' && secret.length < LEAST_SECRET)
    yield `The credential hook_secret is shorter than ${LEAST_SECRET} characters: nothing that Freshdesk sends is taken.`
  yield* problemsOf('groups', freshdeskGroups(config), '123')
}

/** Freshdesk forbids what the role of its agent does not allow. @throws DeskFailure if it refuses the key */
async function* missingThere(account: DeskAccount): AsyncGenerator<string> {
  try {
    await readFromFreshdesk('/tickets?per_page=1', FreshdeskTickets, account)
  } catch (failure) {
    if (!(failure instanceof DeskFailure) || !failure.isForbidden) throw failure
    yield `Its agent may not see tickets. ${failure.message}`
  }
  const { config } = account
  const to = settingText(config['hand_over_to'])
  if (to !== undefined && !isFreshdeskId(to))
    yield `The setting hand_over_to is no id of a group: ${oneLine(to, 80)}.`
  for (const group of new Set([...idsOf(freshdeskGroups(config)), to ?? '']))
    if (isFreshdeskId(group) && !(await isGroupThere(group, account)))
      yield `Freshdesk has no group ${group}.`
}

/** Whoever may not see groups is not told which there are. */
async function isGroupThere(group: string, account: DeskAccount): Promise<boolean> {
  try {
    return (await readFromFreshdesk(`/groups/${group}`, FreshdeskNamed, account)) !== undefined
  } catch (failure) {
    if (failure instanceof DeskFailure && failure.isForbidden) return true
    throw failure
  }
}

const check = checkDesk({
  address: freshdeskApi,
  missingHere,
  async *ask(account) {
    const me = await readFromFreshdesk('/agents/me', FreshdeskAgent, account)
    if (me === undefined) {
      yield 'There is no Freshdesk at this address.'
      return undefined
    }
    if (me.ticket_scope === ASSIGNED_ONLY)
      yield 'Its agent sees only tickets that are assigned to it: give it the scope “Global”.'
    yield* missingThere(account)
    return `${oneLine(me.contact?.email ?? 'an agent', 80)} in Freshdesk`
  },
})

/** Tickets of Freshdesk, by its API 2. */
export const createFreshdeskDesk = ({ now }: { now: () => Date }): HelpDesk => ({
  handles: 'tickets',
  spacingMs: 500,
  hook: hookOf(now),
  changes: (cursor, account) => changedInFreshdesk(cursor, account, now()),
  readEveryMs: READ_EVERY_MS,
  ticket: (id, account) => readFreshdeskTicket(id, account, now()),
  post: postToFreshdesk,
  open: openFreshdeskTicket,
  check,
  setup: {
    credentials: {
      api_key: 'Profile settings of the agent that answers, View API key.',
      hook_secret:
        'A secret of at least 20 characters that you make up, and that the automation sends in the header X-Citewell-Secret. Without it, tickets are read once a minute.',
    },
    settings: {
      api_url: 'The address of your Freshdesk, such as https://acme.freshdesk.com.',
      groups: 'The ids of the groups whose tickets are answered, with commas between them. Without it: all.',
      status_after_answer: 'The status of a ticket after its answer: pending or resolved.',
      hand_over_to: 'The id of the group that a ticket is given to when its customer writes again.',
    },
  },
})
