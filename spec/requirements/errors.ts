import type { Requirement } from '../requirement.ts'

const spec = 'open-items#error-body'
const refusals = 'contract/src/refusals.ts'
const rendering = 'service/src/platform/http/render-refusal.ts'

const row = (code: string, when: string, lives = refusals) =>
  ({ says: `${code}: ${when}`, spec, lives }) as const

export const ERRORS = {
  'errors.body': {
    says: 'Every refusal has error (for the reader), code, request_id and retryable, and details where they help.',
    spec,
    lives: rendering,
  },
  'errors.said-in-words': {
    says: 'The error of a request that is not valid says in words what is wrong with its first fault.',
    spec,
    lives: 'service/src/platform/http/issue-message.ts',
  },
  'errors.true-status': {
    says: 'The HTTP status of a refusal is the one that its code stands for.',
    spec,
    lives: rendering,
  },
  'errors.bad-request': row('400 BAD_REQUEST', 'the request is not valid.'),
  'errors.unauthenticated': row('401 UNAUTHENTICATED', 'no, an unknown or a revoked key or token.'),
  'errors.forbidden': row('403 FORBIDDEN', 'the key or token may not do that.'),
  'errors.group-not-allowed': row('403 GROUP_NOT_ALLOWED', 'a group that the key may not use.'),
  'errors.captcha-required': row('403 CAPTCHA_REQUIRED', 'a public key without a token where CAPTCHA is on.'),
  'errors.captcha-failed': row('403 CAPTCHA_FAILED', 'a token that does not pass.'),
  'errors.widget-disabled': row('403 WIDGET_DISABLED', 'the widget is switched off.'),
  'errors.origin-not-allowed': row('403 ORIGIN_NOT_ALLOWED', 'a page that the key or widget does not name.'),
  'errors.mcp-not-enabled': row('403 MCP_NOT_ENABLED', 'an MCP request with a key that lacks MCP access.'),
  'errors.knowledge-base-internal': row('403 KNOWLEDGE_BASE_INTERNAL', 'a client key on an internal base.'),
  'errors.knowledge-base-archived': row('403 KNOWLEDGE_BASE_ARCHIVED', 'the knowledge base is archived.'),
  'errors.plan-required': row('403 PLAN_REQUIRED', 'the plan does not have this.'),
  'errors.project-limit-reached': row('403 PROJECT_LIMIT_REACHED', 'a knowledge base past the plan limit.'),
  'errors.not-found': row('404 NOT_FOUND', 'nothing is there, or nothing of the caller.'),
  'errors.confirmation-required': row(
    '409 CONFIRMATION_REQUIRED',
    'the name is missing or wrong on deletion.',
  ),
  'errors.conflict': row('409 CONFLICT', 'a name that is taken, a state that is reached already.'),
  'errors.payload-too-large': row('413 PAYLOAD_TOO_LARGE', 'a body over its limit.'),
  'errors.unsupported-media-type': row('415 UNSUPPORTED_MEDIA_TYPE', 'a body of another type.'),
  'errors.rate-limited': row(
    '429 RATE_LIMITED',
    'too many requests, with Retry-After and the RateLimit headers.',
  ),
  'errors.internal': row('500 INTERNAL', 'a fault of ours, of which nothing is told.', rendering),
  'errors.unavailable': row('503 UNAVAILABLE', 'the service is not ready.'),
  'errors.group-ids-empty': {
    says: "An empty group_ids is the same as none: the key's own groups, never more.",
    spec,
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
  'errors.before-the-stream': {
    says: 'What is refused before answering starts is a JSON error with its 4xx status.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: 'service/src/channels/public-api/chat-stream.ts',
  },
  'errors.frame': {
    says: 'A failure after the stream opened is one frame with error, error_code, code, retryable and request_id, and nothing after it.',
    spec: 'interface#after-the-stream-opened',
    lives: 'service/src/channels/public-api/chat-frames.ts',
  },
} as const satisfies Record<string, Requirement>
