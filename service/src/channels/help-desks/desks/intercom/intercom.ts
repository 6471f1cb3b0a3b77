import { parseJson } from '../../../../kernel/json.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import { isSigned, type HookPlatform } from '../../../platform-hooks/platform-hooks.ts'
import type { DeskIncoming } from '../../desk-incoming.ts'
import type { DeskAccount, HelpDesk } from '../../help-desk.ts'
import { checkDesk } from '../check-desk.ts'
import { intercomApi, readFromIntercom } from './intercom-api.ts'
import { isIntercomId, readIntercomChat } from './intercom-chat.ts'
import { postToIntercom } from './intercom-posts.ts'
import { IntercomHook, IntercomMe } from './intercom-schemas.ts'

const TOPICS = new Set(['conversation.user.created', 'conversation.user.replied'])

const HOOK: HookPlatform<DeskIncoming> = {
  // It signs no time: a notification is taken once, and what it is about is read from Intercom.
  verify: ({ credentials, headers, rawBody }) =>
    isSigned(headers.get('x-hub-signature'), {
      secret: credentials['client_secret'] ?? '',
      parts: [rawBody],
      hash: 'sha1',
      as: 'hex',
      prefix: 'sha1=',
    }),
  read: ({ rawBody }) => {
    const given = IntercomHook.safeParse(parseJson(Buffer.from(rawBody).toString('utf8'))).data
    const ticketId = given?.data.item.id ?? ''
    if (given === undefined || !TOPICS.has(given.topic) || !isIntercomId(ticketId)) return { reply: {} }
    return {
      reply: {},
      event: { deliveryId: given.id, lane: ticketId, incoming: { kind: 'ticket', ticketId } },
    }
  },
}

function* missingHere({ credentials, config }: DeskAccount): Generator<string> {
  if (intercomApi(config) === undefined) yield API_URL_WRONG
  if ((credentials['access_token'] ?? '') === '') yield 'The credential access_token is missing.'
  if ((credentials['client_secret'] ?? '') === '')
    yield 'The credential client_secret is missing: without it, nothing that Intercom sends is taken.'
}

const check = checkDesk({
  address: intercomApi,
  missingHere,
  async *ask(account) {
    const me = await readFromIntercom('/me', IntercomMe, account)
    if (me !== undefined)
      return `${oneLine(me.email ?? 'a teammate', 80)} in ${oneLine(me.app?.name ?? 'Intercom', 80)}`
    yield 'This is no Intercom.'
    return undefined
  },
})

/** Chats of the Intercom Messenger. Its tickets and mails are left alone. */
export const INTERCOM: HelpDesk = {
  handles: 'chats',
  spacingMs: 500,
  hook: HOOK,
  ticket: readIntercomChat,
  post: postToIntercom,
  check,
  setup: {
    credentials: {
      access_token: 'Developer Hub, the app, Configure, Authentication.',
      client_secret: 'Developer Hub, the app, Configure, Basic information.',
    },
    settings: {
      admin_id:
        'The id of the teammate that answers: one of its own, which no person uses. Empty: that of the access token.',
      hand_over_to: 'The id of the team or teammate that takes over. Empty: the conversation is unassigned.',
      api_url:
        'For a workspace in Europe https://api.eu.intercom.io, in Australia https://api.au.intercom.io.',
    },
  },
}
