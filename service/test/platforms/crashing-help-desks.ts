import { QUESTION, ROTATION } from '../webhook-world.ts'
import { ACCOUNT, startChatwootStandIn } from './chatwoot-stand-in.ts'
import { startCrashProxy } from './crash-moments.ts'
import { endOf, hook, type CrashingPlatform } from './crashing-platform.ts'
import { startFreshdeskStandIn } from './freshdesk-stand-in.ts'
import { startFrontStandIn, US } from './front-stand-in.ts'
import { startHelpscoutStandIn } from './helpscout-stand-in.ts'
import { startHubspotStandIn, US as HUBSPOT_US } from './hubspot-stand-in.ts'
import {
  signAsChatwoot,
  signAsFreshdesk,
  signAsFront,
  signAsHelpscout,
  signAsHub,
  signAsHubspot,
  signAsMessaging,
  signAsZendesk,
} from './platform-proofs.ts'
import { startRequestTracker } from './request-tracker.ts'
import { startZammadStandIn } from './zammad-stand-in.ts'
import { APP, startMessagingStandIn } from './zendesk-messaging-stand-in.ts'
import { startZendeskStandIn } from './zendesk-tickets-stand-in.ts'

/** What differs between the help desks that deliver to a hook. */
interface TellingDesk<StandIn> {
  platform: string
  handles: 'tickets' | 'chats'
  start(): Promise<StandIn>
  /** What its configuration has besides the address. */
  config?: object
  /** Ends the last conversation before a question: otherwise a reading tells of it again, as just changed. */
  end?(standIn: StandIn, asked: string): void
  /** What it delivers of a conversation. */
  delivery(standIn: StandIn, asked: string): string
  /** The headers that prove it. */
  sign(standIn: StandIn, given: { body: string; asked: string; hookUrl: string }): Record<string, string>
  /** Whether a text of ours is the answer, where more is said in a chat. */
  isAnswer?(text: string): boolean
}

interface DeskStandIn extends AsyncDisposable {
  origin: string
  credentials: object
  /** A customer writes: in a new conversation. Returns its id. */
  write(text: string): string
  answersOf(conversation: string): string[]
}

/** Opens a stand-in with a proxy before it. */
const openerOf =
  <StandIn extends DeskStandIn>(desk: TellingDesk<StandIn>) =>
  async (): Promise<CrashingPlatform> => {
    const { platform, handles, config = {}, isAnswer = () => true } = desk
    const standIn = await desk.start()
    const proxy = await startCrashProxy(standIn.origin)
    let asked = ''
    return {
      proxy,
      noun: 'helpdesk-integrations',
      fields: {
        platform,
        handles,
        config: { api_url: proxy.origin, ...config, quiet_seconds: 0 },
        credentials: standIn.credentials,
      },
      ask: async () => {
        if (asked !== '') desk.end?.(standIn, asked)
        asked = standIn.write(QUESTION)
      },
      tell: (citewell, id) => {
        const body = desk.delivery(standIn, asked)
        const hookUrl = `${citewell.address}/api/v1/hooks/${id}`
        return hook(citewell, id, body, desk.sign(standIn, { body, asked, hookUrl }))
      },
      tellsAgain: true,
      answers: () => standIn.answersOf(asked).filter(isAnswer).length,
      [Symbol.asyncDispose]: endOf(proxy, standIn),
    }
  }

const saysRotation = (text: string) => text.includes(ROTATION)

export const zendesk = openerOf({
  platform: 'zendesk',
  handles: 'tickets',
  start: async () => {
    const standIn = await startZendeskStandIn()
    return Object.assign(standIn, { origin: standIn.apiUrl })
  },
  delivery: (_, ticket) => JSON.stringify({ ticket_id: ticket }),
  sign: ({ credentials }, { body, asked }) => ({
    ...signAsZendesk(body, credentials.signing_secret, new Date()),
    'x-zendesk-webhook-invocation-id': `invocation-${asked}`,
  }),
})

export const chatwoot = openerOf({
  platform: 'chatwoot',
  handles: 'chats',
  config: { account_id: ACCOUNT },
  start: startChatwootStandIn,
  delivery: (standIn, chat) => standIn.delivery(chat),
  sign: ({ credentials }, { body }) => signAsChatwoot(body, credentials.hook_secret, new Date()),
  isAnswer: saysRotation,
})

export const freshdesk = openerOf({
  platform: 'freshdesk',
  handles: 'tickets',
  start: startFreshdeskStandIn,
  end: (standIn, ticket) => {
    standIn.ticket(ticket).status = 5
  },
  delivery: (_, ticket) => JSON.stringify({ ticket_id: ticket }),
  sign: ({ credentials }) => signAsFreshdesk(credentials.hook_secret),
})

export const front = openerOf({
  platform: 'front',
  handles: 'tickets',
  config: { teammate: US },
  start: startFrontStandIn,
  end: (standIn, chat) => {
    standIn.chat(chat).status = 'archived'
  },
  delivery: (standIn, chat) => standIn.delivery(chat),
  sign: ({ credentials }, { body }) => signAsFront(body, credentials.signing_key, new Date()),
})

export const helpscout = openerOf({
  platform: 'helpscout',
  handles: 'tickets',
  start: startHelpscoutStandIn,
  end: (standIn, chat) => {
    standIn.chat(chat).status = 'closed'
  },
  delivery: (standIn, chat) => standIn.delivery(chat),
  sign: ({ credentials }, { body }) => signAsHelpscout(body, credentials.hook_secret),
})

export const hubspot = openerOf({
  platform: 'hubspot',
  handles: 'tickets',
  config: { sender: HUBSPOT_US },
  start: startHubspotStandIn,
  end: (standIn, thread) => {
    standIn.thread(thread).status = 'CLOSED'
  },
  delivery: (standIn, thread) => standIn.delivery(thread),
  sign: ({ credentials: { client_secret: secret } }, { body, hookUrl }) =>
    signAsHubspot(body, { secret, at: new Date(), hookUrl }),
})

export const zammad = openerOf({
  platform: 'zammad',
  handles: 'tickets',
  start: startZammadStandIn,
  delivery: (standIn, ticket) => standIn.delivery(ticket),
  sign: ({ credentials }, { body, asked }) => ({
    ...signAsHub(body, credentials.signature_token),
    'x-zammad-delivery': `delivery-${asked}`,
  }),
})

export const zendeskMessaging = openerOf({
  platform: 'zendesk_messaging',
  handles: 'chats',
  config: { app_id: APP },
  start: startMessagingStandIn,
  delivery: (standIn, chat) => standIn.delivery(chat),
  sign: ({ credentials }) => signAsMessaging(credentials.shared_secret),
  isAnswer: saysRotation,
})

/** The real one. */
export async function requestTracker(): Promise<CrashingPlatform> {
  const rt = await startRequestTracker()
  const proxy = await startCrashProxy(rt.address)
  let asked = 0
  let ticket = ''
  const customer = () => `crash${asked}@mail.example`
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'request_tracker',
      handles: 'tickets',
      config: { api_url: proxy.origin, username: rt.username, queue: 'General', quiet_seconds: 0 },
      credentials: rt.credentials,
    },
    ask: async () => {
      asked += 1
      // Otherwise it would be told of again, as what changed in the last seconds.
      if (ticket !== '') await rt.resolve(ticket)
      ticket = await rt.mail(customer(), QUESTION)
    },
    // It is looked for.
    tell: async (citewell, id) => {
      await citewell.send('POST', `/api/v1/helpdesk-integrations/${id}/check`)
    },
    tellsAgain: true,
    answers: () => rt.mailsTo(customer()).filter((mail) => mail.includes(ROTATION)).length,
    [Symbol.asyncDispose]: endOf(proxy, rt),
  }
}
