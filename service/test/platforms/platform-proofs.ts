import { createHash, createHmac, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import type { GoogleChatStandIn } from './google-chat-stand-in.ts'
import type { TeamsStandIn } from './teams-stand-in.ts'

/** How a platform proves a delivery, so that every wrong proof can be tried. */
export interface PlatformProof {
  /** The noun of its integrations in paths. */
  noun: 'bots' | 'helpdesk-integrations'
  fields: object
  /** The credentials with which the integration verifies proofs made with this secret. */
  credentials(secret: string): Record<string, string>
  /** A body that does nothing. */
  body: string
  sign(given: {
    body: string
    secret: string
    at: Date
    /** The public address that it is delivered to. */
    hookUrl: string
  }): Record<string, string> | Promise<Record<string, string>>
  /** The headers that are the proof. */
  proves: readonly string[]
  /** Whether the proof includes the time and the body. */
  signsTime: boolean
  signsBody: boolean
}

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The keys of an application at Discord, made from a word. */
export function discordKeys(secret: string): { privateKey: KeyObject; publicKey: string } {
  const seed = createHash('sha256').update(secret).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: spki.subarray(-32).toString('hex') }
}

/** Headers that prove a body, as Discord sends them. */
export function signAsDiscord(body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    'content-type': 'application/json',
    'x-signature-timestamp': timestamp,
    'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), discordKeys(secret).privateKey).toString(
      'hex',
    ),
  }
}

/** Headers that prove a body, as Zendesk sends them. */
export function signAsZendesk(body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = at.toISOString()
  return {
    'content-type': 'application/json',
    'x-zendesk-webhook-signature-timestamp': timestamp,
    'x-zendesk-webhook-signature': createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('base64'),
  }
}

/** Headers that prove a body, as Intercom and Zammad send them. */
export const signAsHub = (body: string, secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
})

/** Headers that prove a body, as Front sends them. */
export function signAsFront(body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(at.getTime())
  return {
    'content-type': 'application/json',
    'x-front-request-timestamp': timestamp,
    'x-front-signature': createHmac('sha256', secret).update(`${timestamp}:${body}`).digest('base64'),
  }
}

/** Headers that prove a body, as Chatwoot sends them to a bot. */
export function signAsChatwoot(body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    'content-type': 'application/json',
    'x-chatwoot-timestamp': timestamp,
    'x-chatwoot-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  }
}

/** Headers that prove a body, as Help Scout sends them. */
export const signAsHelpscout = (
  body: string,
  secret: string,
  event = 'convo.customer.reply.created',
): Record<string, string> => ({
  'content-type': 'application/json',
  'x-helpscout-event': event,
  'x-helpscout-signature': createHmac('sha1', secret).update(body).digest('base64'),
})

/** Headers that prove a body, as HubSpot sends them to this address. */
export function signAsHubspot(
  body: string,
  { secret, at, hookUrl }: { secret: string; at: Date; hookUrl: string },
): Record<string, string> {
  const timestamp = String(at.getTime())
  return {
    'content-type': 'application/json',
    'x-hubspot-request-timestamp': timestamp,
    'x-hubspot-signature-v3': createHmac('sha256', secret)
      .update(`POST${hookUrl}${body}${timestamp}`)
      .digest('base64'),
  }
}

/** The header that proves a delivery of Zendesk messaging: the secret itself. */
export const signAsMessaging = (secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-api-key': secret,
})

const TELEGRAM_SECRET = 'x-telegram-bot-api-secret-token'

const telegramToken = (secret: string) => `12:${createHash('sha256').update(secret).digest('hex')}`

/** The header that proves an update of Telegram: what the bot of this token had it send. */
export function signAsTelegram(token: string, bot: string): Record<string, string> {
  const mac = createHmac('sha256', token).update(`citewell telegram hook ${bot}`).digest('hex')
  return { 'content-type': 'application/json', [TELEGRAM_SECRET]: `${bot}-${mac}` }
}

/** The header that proves a delivery of Freshdesk: a secret that the owner made up. */
export const signAsFreshdesk = (secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-citewell-secret': secret,
})

const longer = (secret: string) => `${secret}, a secret of the owner`

/** Every platform that has a hook. Teams and Google Chat prove with a published key. */
export const platformProofs = (
  teams: Pick<TeamsStandIn, 'origin' | 'proof'>,
  google: Pick<GoogleChatStandIn, 'origin' | 'proof'>,
): Record<string, PlatformProof> => ({
  chatwoot: {
    noun: 'helpdesk-integrations',
    fields: { platform: 'chatwoot', handles: 'chats' },
    credentials: (secret) => ({ bot_token: 'b', agent_token: 'a', hook_secret: secret }),
    body: JSON.stringify({ event: 'webwidget_triggered' }),
    sign: ({ body, secret, at }) => signAsChatwoot(body, secret, at),
    proves: ['x-chatwoot-timestamp', 'x-chatwoot-signature'],
    signsTime: true,
    signsBody: true,
  },
  discord: {
    noun: 'bots',
    fields: { platform: 'discord' },
    credentials: (secret) => ({ bot_token: 'token', public_key: discordKeys(secret).publicKey }),
    body: JSON.stringify({ id: '1', application_id: '2', type: 1, token: 't' }),
    sign: ({ body, secret, at }) => signAsDiscord(body, secret, at),
    proves: ['x-signature-timestamp', 'x-signature-ed25519'],
    signsTime: true,
    signsBody: true,
  },
  freshdesk: {
    noun: 'helpdesk-integrations',
    // One that is on is read, which changes its record.
    fields: { platform: 'freshdesk', enabled: false },
    credentials: (secret) => ({ api_key: 't', hook_secret: longer(secret) }),
    body: JSON.stringify({ surprise: true }),
    sign: ({ secret }) => signAsFreshdesk(longer(secret)),
    proves: ['x-citewell-secret'],
    signsTime: false,
    signsBody: false,
  },
  front: {
    noun: 'helpdesk-integrations',
    // One that is on is read, which changes its record.
    fields: { platform: 'front', enabled: false },
    credentials: (secret) => ({ api_token: 't', signing_key: secret }),
    body: JSON.stringify({ type: 'sync', authorization: { id: 'cmp_1' } }),
    sign: ({ body, secret, at }) => signAsFront(body, secret, at),
    proves: ['x-front-request-timestamp', 'x-front-signature'],
    signsTime: true,
    signsBody: true,
  },
  google_chat: {
    noun: 'bots',
    fields: { platform: 'google_chat', config: { api_url: google.origin } },
    credentials: (secret) => ({ service_account: '{}', project_number: secret }),
    body: JSON.stringify({ type: 'REMOVED_FROM_SPACE' }),
    sign: ({ secret, at }) => google.proof({ at, claims: { aud: secret } }),
    proves: ['authorization'],
    // A token is valid for an hour, for every body.
    signsTime: false,
    signsBody: false,
  },
  helpscout: {
    noun: 'helpdesk-integrations',
    // One that is on is read, which changes its record.
    fields: { platform: 'helpscout', enabled: false },
    credentials: (secret) => ({ app_id: 'a', app_secret: 's', hook_secret: secret }),
    body: JSON.stringify({ surprise: true }),
    sign: ({ body, secret }) => signAsHelpscout(body, secret),
    proves: ['x-helpscout-signature'],
    signsTime: false,
    signsBody: true,
  },
  hubspot: {
    noun: 'helpdesk-integrations',
    // One that is on is read, which changes its record.
    fields: { platform: 'hubspot', enabled: false },
    credentials: (secret) => ({ access_token: 't', client_secret: secret }),
    body: JSON.stringify([{ surprise: true }]),
    sign: ({ body, ...given }) => signAsHubspot(body, given),
    proves: ['x-hubspot-request-timestamp', 'x-hubspot-signature-v3'],
    signsTime: true,
    signsBody: true,
  },
  intercom: {
    noun: 'helpdesk-integrations',
    fields: { platform: 'intercom', handles: 'chats' },
    credentials: (secret) => ({ access_token: 't', client_secret: secret }),
    body: JSON.stringify({ type: 'notification_event', topic: 'ping', id: null, data: { item: {} } }),
    sign: ({ body, secret }) => signAsHub(body, secret),
    proves: ['x-hub-signature'],
    signsTime: false,
    signsBody: true,
  },
  mattermost: {
    noun: 'bots',
    // One that is on is listened to, which changes its record.
    fields: { platform: 'mattermost', enabled: false },
    credentials: (secret) => ({ bot_token: 't', command_token: secret }),
    body: 'text=&command=%2Fask',
    sign: ({ secret }) => ({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Token ${secret}`,
    }),
    proves: ['authorization'],
    signsTime: false,
    signsBody: false,
  },
  slack: {
    noun: 'bots',
    fields: { platform: 'slack' },
    credentials: (secret) => ({ bot_token: 'xoxb-1', signing_secret: secret }),
    body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }),
    sign: ({ body, secret, at }) => {
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
      return {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${hmac}`,
      }
    },
    proves: ['x-slack-request-timestamp', 'x-slack-signature'],
    signsTime: true,
    signsBody: true,
  },
  teams: {
    noun: 'bots',
    fields: { platform: 'teams', config: { api_url: teams.origin } },
    credentials: (secret) => ({ app_id: secret, tenant_id: 'tenant', client_secret: 's' }),
    body: JSON.stringify({
      type: 'conversationUpdate',
      channelId: 'msteams',
      serviceUrl: `${teams.origin}/amer/`,
      conversation: { id: 'a:1', tenantId: 'tenant' },
    }),
    sign: ({ secret, at }) => teams.proof({ appId: secret, at }),
    proves: ['authorization'],
    // A token is valid for an hour, for every body that names its address.
    signsTime: false,
    signsBody: false,
  },
  telegram: {
    noun: 'bots',
    // Otherwise it is listened to, which changes its record.
    fields: { platform: 'telegram', config: { receive_by: 'hook' } },
    credentials: (secret) => ({ bot_token: telegramToken(secret) }),
    body: JSON.stringify({ update_id: 1 }),
    sign: ({ secret }) => signAsTelegram(telegramToken(secret), '12-docs_bot'),
    proves: [TELEGRAM_SECRET],
    signsTime: false,
    signsBody: false,
  },
  zammad: {
    noun: 'helpdesk-integrations',
    fields: { platform: 'zammad' },
    credentials: (secret) => ({ token: 't', signature_token: secret }),
    body: JSON.stringify({ surprise: true }),
    sign: ({ body, secret }) => signAsHub(body, secret),
    proves: ['x-hub-signature'],
    signsTime: false,
    signsBody: true,
  },
  zendesk: {
    noun: 'helpdesk-integrations',
    fields: { platform: 'zendesk' },
    credentials: (secret) => ({ email: 'bot@acme.example', api_token: 't', signing_secret: secret }),
    body: JSON.stringify({ surprise: true }),
    sign: ({ body, secret, at }) => signAsZendesk(body, secret, at),
    proves: ['x-zendesk-webhook-signature-timestamp', 'x-zendesk-webhook-signature'],
    signsTime: true,
    signsBody: true,
  },
  zendesk_messaging: {
    noun: 'helpdesk-integrations',
    fields: { platform: 'zendesk_messaging', handles: 'chats' },
    credentials: (secret) => ({ key_id: 'k', key_secret: 's', shared_secret: secret }),
    body: JSON.stringify({ app: { id: '1' }, webhook: { id: '2', version: 'v2' }, events: [] }),
    sign: ({ secret }) => signAsMessaging(secret),
    proves: ['x-api-key'],
    signsTime: false,
    signsBody: false,
  },
})
