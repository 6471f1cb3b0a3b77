import { createHash } from 'node:crypto'
import { parseJson } from '../../../../kernel/json.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import type { HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { DeskAccount, HelpDesk } from '../../help-desk.ts'
import { isSignedByZendesk } from './verify-zendesk.ts'
import { readFromZendesk, zendeskApi } from './zendesk-api.ts'
import { openZendeskTicket, postToZendesk } from './zendesk-posts.ts'
import { ZendeskHook, ZendeskMe } from './zendesk-schemas.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { checkDesk } from '../check-desk.ts'
import { isZendeskId, readZendeskTicket } from './zendesk-ticket.ts'

const HOOK: HookPlatform<DeskIncoming> = {
  verify: ({ credentials, now, ...request }) =>
    isSignedByZendesk(request, credentials['signing_secret'] ?? '', now),
  read: ({ headers, rawBody }) => {
    const given = ZendeskHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    if (given === undefined) return { reply: {} }
    const ticketId = 'ticket_id' in given ? String(given.ticket_id) : given.detail.id
    if (!isZendeskId(ticketId)) return { reply: {} }
    const invocation = headers.get('x-zendesk-webhook-invocation-id')
    // Without its id, the same signature is the same delivery.
    const signature = headers.get('x-zendesk-webhook-signature') ?? ''
    const deliveryId = invocation ?? createHash('sha256').update(signature).digest('hex')
    return { reply: {}, event: { deliveryId, lane: ticketId, incoming: { kind: 'ticket', ticketId } } }
  },
}

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (zendeskApi(config) === undefined)
    yield 'The setting api_url is missing, or is not an https address: that of your Zendesk, such as https://acme.zendesk.com.'
  if ((credentials['email'] ?? '') === '')
    yield 'The credential email is missing: the address of the agent that answers.'
  if ((credentials['api_token'] ?? '') === '') yield 'The credential api_token is missing.'
  if ((credentials['signing_secret'] ?? '') === '')
    yield 'The credential signing_secret is missing: that of the webhook. Without it, nothing that Zendesk sends is taken.'
}

const check = checkDesk({
  address: zendeskApi,
  missingHere,
  async *ask(account) {
    const me = await readFromZendesk('/users/me.json', ZendeskMe, account)
    const role = me?.user.role
    if (role === 'agent' || role === 'admin') return `${oneLine(me?.user.email ?? 'an agent', 80)} in Zendesk`
    // Without valid credentials Zendesk answers as an anonymous end user.
    yield 'Its credentials open no agent of this Zendesk.'
    return undefined
  },
})

/** Tickets of Zendesk Support. Its messaging has conversations of another kind, which are left alone. */
export function createZendeskDesk({ now }: { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => now().getTime())
  return {
    handles: 'tickets',
    // 30 updates of a ticket by one user in ten minutes.
    spacingMs: 1_000,
    hook: HOOK,
    ticket: (id, account) => readZendeskTicket(id, account, lately),
    post: postToZendesk(lately),
    open: openZendeskTicket,
    check,
    setup: {
      credentials: {
        email: 'The address of the agent that answers.',
        api_token: 'Admin Center, Apps and integrations, APIs, API tokens, Add API token.',
        signing_secret: 'Admin Center, Apps and integrations, Webhooks, the webhook, Show signing secret.',
      },
      settings: {
        api_url: 'The address of your Zendesk, such as https://acme.zendesk.com.',
        status_after_answer: 'The status of a ticket after its answer: pending or solved.',
        hand_over_to: 'The id of the group that a ticket is given to when its customer writes again.',
      },
    },
  }
}
