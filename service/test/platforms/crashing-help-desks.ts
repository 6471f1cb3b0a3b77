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

export async function zendesk(): Promise<CrashingPlatform> {
  const standIn = await startZendeskStandIn()
  const proxy = await startCrashProxy(standIn.apiUrl)
  let ticket = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'zendesk',
      handles: 'tickets',
      config: { api_url: proxy.origin, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      ticket = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = JSON.stringify({ ticket_id: ticket })
      return hook(citewell, id, body, {
        ...signAsZendesk(body, standIn.credentials.signing_secret, new Date()),
        'x-zendesk-webhook-invocation-id': `invocation-${ticket}`,
      })
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(ticket).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function chatwoot(): Promise<CrashingPlatform> {
  const standIn = await startChatwootStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let chat = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'chatwoot',
      handles: 'chats',
      config: { api_url: proxy.origin, account_id: ACCOUNT, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      chat = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = standIn.delivery(chat)
      return hook(citewell, id, body, signAsChatwoot(body, standIn.credentials.hook_secret, new Date()))
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(chat).filter((text) => text.includes(ROTATION)).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function freshdesk(): Promise<CrashingPlatform> {
  const standIn = await startFreshdeskStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let ticket = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'freshdesk',
      handles: 'tickets',
      config: { api_url: proxy.origin, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      // Otherwise it would be told of again, as what changed lately.
      if (ticket !== '') standIn.ticket(ticket).status = 5
      ticket = standIn.write(QUESTION)
    },
    tell: (citewell, id) =>
      hook(
        citewell,
        id,
        JSON.stringify({ ticket_id: ticket }),
        signAsFreshdesk(standIn.credentials.hook_secret),
      ),
    tellsAgain: true,
    answers: () => standIn.answersOf(ticket).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function front(): Promise<CrashingPlatform> {
  const standIn = await startFrontStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let chat = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'front',
      handles: 'tickets',
      config: { api_url: proxy.origin, teammate: US, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      // Otherwise it would be told of again, as what came in lately.
      if (chat !== '') standIn.chat(chat).status = 'archived'
      chat = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = standIn.delivery(chat)
      return hook(citewell, id, body, signAsFront(body, standIn.credentials.signing_key, new Date()))
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(chat).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function helpscout(): Promise<CrashingPlatform> {
  const standIn = await startHelpscoutStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let chat = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'helpscout',
      handles: 'tickets',
      config: { api_url: proxy.origin, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      // Otherwise it would be told of again, as what changed lately.
      if (chat !== '') standIn.chat(chat).status = 'closed'
      chat = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = standIn.delivery(chat)
      return hook(citewell, id, body, signAsHelpscout(body, standIn.credentials.hook_secret))
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(chat).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function hubspot(): Promise<CrashingPlatform> {
  const standIn = await startHubspotStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let thread = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'hubspot',
      handles: 'tickets',
      config: { api_url: proxy.origin, sender: HUBSPOT_US, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      // Otherwise it would be told of again, as what was said lately.
      if (thread !== '') standIn.thread(thread).status = 'CLOSED'
      thread = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = standIn.delivery(thread)
      const hookUrl = `${citewell.address}/api/v1/hooks/${id}`
      const { client_secret: secret } = standIn.credentials
      return hook(citewell, id, body, signAsHubspot(body, { secret, at: new Date(), hookUrl }))
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(thread).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function zammad(): Promise<CrashingPlatform> {
  const standIn = await startZammadStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let ticket = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'zammad',
      handles: 'tickets',
      config: { api_url: proxy.origin, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      ticket = standIn.write(QUESTION)
    },
    tell: (citewell, id) => {
      const body = standIn.delivery(ticket)
      return hook(citewell, id, body, {
        ...signAsHub(body, standIn.credentials.signature_token),
        'x-zammad-delivery': `delivery-${ticket}`,
      })
    },
    tellsAgain: true,
    answers: () => standIn.answersOf(ticket).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

export async function zendeskMessaging(): Promise<CrashingPlatform> {
  const standIn = await startMessagingStandIn()
  const proxy = await startCrashProxy(standIn.origin)
  let chat = ''
  return {
    proxy,
    noun: 'helpdesk-integrations',
    fields: {
      platform: 'zendesk_messaging',
      handles: 'chats',
      config: { api_url: proxy.origin, app_id: APP, quiet_seconds: 0 },
      credentials: standIn.credentials,
    },
    ask: async () => {
      chat = standIn.write(QUESTION)
    },
    tell: (citewell, id) =>
      hook(citewell, id, standIn.delivery(chat), signAsMessaging(standIn.credentials.shared_secret)),
    tellsAgain: true,
    answers: () => standIn.answersOf(chat).filter((text) => text.includes(ROTATION)).length,
    [Symbol.asyncDispose]: endOf(proxy, standIn),
  }
}

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
