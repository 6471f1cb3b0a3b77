import { createHash } from 'node:crypto'
import { parseJson } from '../../../../kernel/json.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { isSigned, type HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { DeskAccount, HelpDesk } from '../../help-desk.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { checkDesk } from '../check-desk.ts'
import { readFromZammad, zammadApi } from './zammad-api.ts'
import { openZammadTicket, postToZammad } from './zammad-posts.ts'
import { ZammadHook, ZammadTickets, ZammadUser } from './zammad-schemas.ts'
import { isZammadId, readZammadTicket, zammadGroups } from './zammad-ticket.ts'

const HOOK: HookPlatform<DeskIncoming> = {
  // It signs no time: a delivery is taken once, and what it is about is read from Zammad.
  verify: ({ credentials, headers, rawBody }) =>
    isSigned(headers.get('x-hub-signature'), {
      secret: credentials['signature_token'] ?? '',
      parts: [rawBody],
      hash: 'sha1',
      as: 'hex',
      prefix: 'sha1=',
    }),
  read: ({ headers, rawBody }) => {
    const given = ZammadHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const ticketId = given?.ticket.id ?? ''
    if (!isZammadId(ticketId)) return { reply: {} }
    // Without its id, the same body is the same delivery: it has the time of its ticket.
    const deliveryId = headers.get('x-zammad-delivery') ?? createHash('sha256').update(rawBody).digest('hex')
    return { reply: {}, event: { deliveryId, lane: ticketId, incoming: { kind: 'ticket', ticketId } } }
  },
}

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (zammadApi(config) === undefined)
    yield 'The setting api_url is missing, or is not an https address: that of your Zammad, such as https://support.acme.com.'
  if ((credentials['token'] ?? '') === '') yield 'The credential token is missing.'
  if ((credentials['signature_token'] ?? '') === '')
    yield 'The credential signature_token is missing: that of the webhook. Without it, nothing that Zammad sends is taken.'
  if (zammadGroups(config).is === 'wrong')
    yield 'The setting groups has no name of a group. Until then, nothing is answered.'
}

const check = checkDesk({
  address: zammadApi,
  missingHere,
  async *ask(account) {
    const me = await readFromZammad('/users/me', ZammadUser, account)
    if (me === undefined) {
      yield 'There is no Zammad at this address.'
      return undefined
    }
    await readFromZammad('/tickets?per_page=1', ZammadTickets, account)
    return `${oneLine(me.email ?? 'an agent', 80)} in Zammad`
  },
})

/** Tickets of Zammad, by its API 1. */
export function createZammadDesk({ now }: { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => now().getTime())
  return {
    handles: 'tickets',
    spacingMs: 0,
    hook: HOOK,
    ticket: (id, account) => readZammadTicket(id, account, lately),
    post: postToZammad(lately),
    open: openZammadTicket,
    check,
    setup: {
      credentials: {
        token: 'Profile of the agent that answers, Token Access, Create, with ticket.agent.',
        signature_token: 'A secret that you make up, and enter at the webhook as HMAC SHA1 Signature Token.',
      },
      settings: {
        api_url: 'The address of your Zammad, such as https://support.acme.com.',
        groups:
          'The names of the groups whose tickets are answered, with commas between them. Without it: all that the agent sees.',
        state_after_answer: 'The state of a ticket after its answer, such as closed.',
        hand_over_to: 'The name of the group that a ticket is given to when its customer writes again.',
      },
    },
  }
}
