/**
 * Every refusal that the service can return, as one table: nothing else sets an error status.
 * `reader` is the default message for the person who reads it; a room may give a more precise one.
 */
export const REFUSALS = {
  BAD_REQUEST: { status: 400, retryable: false, reader: 'The request is not valid.' },
  UNAUTHENTICATED: { status: 401, retryable: false, reader: 'A valid key or access token is needed.' },
  FORBIDDEN: { status: 403, retryable: false, reader: 'This key or token may not do that.' },
  GROUP_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    reader: 'One of the group_ids is not a source group that this key may use.',
  },
  CAPTCHA_REQUIRED: { status: 403, retryable: false, reader: 'Please complete the check and try again.' },
  CAPTCHA_FAILED: { status: 403, retryable: true, reader: 'The check did not pass. Please try again.' },
  WIDGET_DISABLED: { status: 403, retryable: false, reader: 'This assistant is switched off.' },
  ORIGIN_NOT_ALLOWED: { status: 403, retryable: false, reader: 'This page may not use the assistant.' },
  MCP_NOT_ENABLED: { status: 403, retryable: false, reader: 'This client key does not allow MCP access.' },
  KNOWLEDGE_BASE_INTERNAL: {
    status: 403,
    retryable: false,
    reader: 'This knowledge base is internal: client keys do not work on it.',
  },
  KNOWLEDGE_BASE_ARCHIVED: {
    status: 403,
    retryable: false,
    reader: 'This knowledge base is archived. Restore it to use it again.',
  },
  PLAN_REQUIRED: { status: 403, retryable: false, reader: 'The workspace needs another plan for this.' },
  WORKSPACE_SUSPENDED: {
    status: 403,
    retryable: false,
    reader: 'The workspace is suspended. The operator of this service can resume it.',
  },
  PROJECT_LIMIT_REACHED: {
    status: 403,
    retryable: false,
    reader: 'The plan allows no further knowledge base. Archive one, or change the plan.',
  },
  QUOTA_EXCEEDED: { status: 403, retryable: false, reader: 'The questions of this month are used up.' },
  NOT_FOUND: { status: 404, retryable: false, reader: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, reader: 'This address does not support this method.' },
  CONFIRMATION_REQUIRED: {
    status: 409,
    retryable: false,
    reader: 'Send the exact name of the knowledge base as "confirm" to delete it.',
  },
  CONFLICT: { status: 409, retryable: false, reader: 'This conflicts with the current state.' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, reader: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, reader: 'Send the body as application/json.' },
  UPGRADE_REQUIRED: {
    status: 426,
    retryable: false,
    reader: 'This address takes WebSockets, with version 13 of the protocol.',
  },
  RATE_LIMITED: { status: 429, retryable: true, reader: 'Too many requests. Try again shortly.' },
  INTERNAL: { status: 500, retryable: true, reader: 'Something went wrong here. Please try again.' },
  UNAVAILABLE: {
    status: 503,
    retryable: true,
    reader: 'The service is not ready. Please try again shortly.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; reader: string }>

export type RefusalCode = keyof typeof REFUSALS

/** The `error_code` values of a stream's error frame, with the message for the reader. */
export const ANSWER_FAILURES = {
  quota_exceeded: {
    code: 'QUOTA_EXCEEDED',
    retryable: false,
    reader: 'The questions of this month are used up.',
  },
  misconfigured: {
    code: 'MISCONFIGURED',
    retryable: false,
    reader: 'The answering model is not set up correctly. Please tell the owner of this site.',
  },
  rate_limited: {
    code: 'RATE_LIMITED',
    retryable: true,
    reader: 'The answering model is busy. Please try again shortly.',
  },
  timeout: { code: 'TIMEOUT', retryable: true, reader: 'The answer took too long. Please try again.' },
  unavailable: {
    code: 'UNAVAILABLE',
    retryable: true,
    reader: 'The answering model cannot be reached. Please try again shortly.',
  },
  internal: { code: 'INTERNAL', retryable: true, reader: 'Something went wrong here. Please try again.' },
  content_filtered: {
    code: 'CONTENT_FILTERED',
    retryable: true,
    reader: 'The answer was blocked by the content filter of the model. Please ask in other words.',
  },
  truncated: { code: 'TRUNCATED', retryable: true, reader: 'The answer was cut short. Please try again.' },
  cancelled: { code: 'CANCELLED', retryable: true, reader: 'The answer was cancelled.' },
} as const satisfies Record<string, { code: string; retryable: boolean; reader: string }>

export type AnswerFailureCode = keyof typeof ANSWER_FAILURES
