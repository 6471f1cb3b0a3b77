/**
 * The closed lists and fixed values of the contract. This file imports nothing, so that a bundle for pages can use it without zod, which
 * weighs 15 kB and more (`tools/browser-imports.ts` holds the browser packages to such files).
 */

/** From most to fewest permissions. */
export const ROLES = ['owner', 'admin', 'member'] as const

/** Where a question came from. Used for a rating's `source`, the filter of conversations, and the breakdown of analytics. */
export const SURFACES = [
  /** The public API: over HTTP or a WebSocket, without a widget. */
  'api',
  /** The same, with the `widget_id` of a saved widget. */
  'widget',
  /** The endpoint in the format of OpenAI's API. */
  'openai',
  'form_deflector',
  'bot',
  'helpdesk',
  'mcp',
  /** A member of the workspace, with an access token. */
  'team',
] as const

/** Names of the CAPTCHA providers. `altcha` is this service itself. */
export const CAPTCHA_PROVIDERS = ['recaptcha', 'hcaptcha', 'turnstile', 'altcha'] as const

/** Why a help-desk chat was handed to a person. */
export const CHAT_ESCALATION_REASONS = [
  'customer_asked',
  /** The chat reached the maximum number of answers: `LIMITS.turnCap`. */
  'turn_cap',
  'low_confidence',
  /** An answer could not be written or posted. */
  'answer_failed',
] as const

/** The only reason for tickets: the customer wrote again after the answer. */
export const TICKET_ESCALATION_REASON = 'customer_replied'

export const ESCALATION_REASONS = [TICKET_ESCALATION_REASON, ...CHAT_ESCALATION_REASONS] as const

export const DECISIONS = ['approved', 'rejected'] as const

/** What a webhook is told of. */
export const WEBHOOK_EVENTS = [
  'conversation.completed',
  'deflection.completed',
  'ticket.deflected',
  'ticket.escalated',
  'simulation.completed',
  'approval.resolved',
] as const

/** Header fields of a delivery. */
export const WEBHOOK_HEADERS = {
  event: 'X-Service-Event',
  /** Hex HMAC-SHA256 of the raw body; only if the trigger has a secret. */
  signature: 'X-Service-Signature',
  /** The headers of Standard Webhooks, sent besides our own. */
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** Chat platforms that a bot can be connected to. This service drives all but `other`, which is driven by your own program. */
export const BOT_PLATFORMS = [
  'slack',
  'teams',
  'discord',
  'mattermost',
  'google_chat',
  'telegram',
  'other',
] as const

/** Help desks that an integration can be connected to. For `other`, your own program hands in the tickets. */
export const HELPDESK_PLATFORMS = [
  'zendesk',
  'zendesk_messaging',
  'intercom',
  'freshdesk',
  'helpscout',
  'hubspot',
  'front',
  'zammad',
  'chatwoot',
  'request_tracker',
  'email',
  'other',
] as const

/** Names that are part of this service, or that a reader could mistake for it. */
export const RESERVED_SERVER_NAMES: readonly string[] = [
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'billing',
  'citewell',
  'dashboard',
  'docs',
  'help',
  'localhost',
  'login',
  'mcp',
  'oauth',
  'openapi',
  'portal',
  'public',
  'register',
  'root',
  'setup',
  'signin',
  'signup',
  'static',
  'status',
  'support',
  'system',
  'well-known',
  'www',
]

export const SIGN_IN_TYPES = ['api_key', 'public', 'internal'] as const

/** Kinds of personal data that are recognised. Each is replaced by its name in brackets: `[email]`. */
export const PII_KINDS = [
  'email',
  'phone',
  'credit_card',
  'iban',
  'ip_address',
  'national_id',
  'secret',
] as const

export const PII_LIMITS = { customPatterns: 50, customPattern: 200, allowList: 100, allowed: 200 } as const

/** Where the documents of a source come from. */
export const SOURCE_TYPES = [
  'website',
  'sitemap',
  'repository',
  'files',
  'openapi',
  'discourse',
  'github',
  'notion',
  'zendesk_help_center',
  'confluence',
  'jira',
  'mail_archive',
  'mailbox',
  'mediawiki',
  'gitlab',
  'intercom',
  'freshdesk_solutions',
  'help_scout_docs',
  's3',
  'google_drive',
  'sharepoint',
  'slack_channels',
  'push',
  'custom_answers',
] as const

/** Platforms whose accounts can be connected with a button, to read sources with. */
export const SOURCE_PLATFORMS = ['google', 'microsoft', 'atlassian', 'notion', 'github', 'slack'] as const

export const SYNC_STATUSES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const

export const DELIVERY_STATUSES = [
  'pending',
  'sending',
  'delivered',
  'failed',
  /** The service ended while it was being sent: it may have arrived. It is never resent automatically. */
  'unknown',
  /** It was not sent: the knowledge base was archived, or the receiver is gone. */
  'cancelled',
] as const

/** Close codes of the WebSocket. */
export const SOCKET_CLOSES = {
  /** The service stops or restarts: reconnect. */
  goingAway: 1001,
  tooBig: 1009,
  badFrame: 4400,
  unauthenticated: 4401,
  forbidden: 4403,
  notFound: 4404,
  idle: 4408,
  tooMany: 4429,
  /** An internal error. */
  internal: 1011,
} as const

export const SOCKET_LIMITS = {
  /** Maximum bytes of one message. */
  messageBytes: 65_536,
  /** Seconds until the first message. */
  authSeconds: 10,
  /** Idle timeout: seconds without a message and without an in-flight question. */
  idleSeconds: 300,
  /** In-flight questions per socket. */
  questionsAtOnce: 4,
} as const

/** Settings for requests without a form. */
export const FORM_DEFAULTS = { min_characters: 15, min_confidence: 0.5 } as const
