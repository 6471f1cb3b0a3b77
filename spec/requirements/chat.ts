import type { Requirement } from '../requirement.ts'

const body = 'contract/src/chat.ts'
const question = 'service/src/channels/public-api/public-question.ts'
const scope = 'service/src/channels/public-api/request-scope.ts'
const widgetGate = 'service/src/channels/public-api/widget-gate.ts'
const chatFrames = 'service/src/channels/public-api/chat-frames.ts'
const chatStream = 'service/src/channels/public-api/chat-stream.ts'
const sse = 'service/src/platform/http/sse.ts'
const sseFrame = 'service/src/platform/http/frame.ts'
const answering = 'service/src/answers/answering/answering.ts'
const modelFailures = 'service/src/platform/llm/model-failures.ts'
const modelStream = 'service/src/platform/llm/model-stream.ts'

export const CHAT = {
  'chat.query-limit': {
    says: 'A question has 1 to 4,000 characters, counted as a reader sees them; one more is refused with 400.',
    spec: 'interface#chat-request-body',
    lives: body,
  },
  'chat.thread-id-invalid': {
    says: 'A thread_id that is no valid id, or not the asker’s, is passed over: a new conversation begins.',
    spec: 'interface#chat-request-body',
    lives: question,
  },
  'chat.top-k': {
    says: 'top_k is 15 where it is left out, and more than 100 counts as 100.',
    spec: 'interface#chat-request-body',
    lives: body,
  },
  'chat.group-ids-narrow': {
    says: 'With group_ids only sources of these groups are used.',
    spec: 'interface#chat-request-body',
    lives: scope,
  },
  'chat.group-ids-bad': {
    says: 'A value in group_ids that is no group the key may use is a 403.',
    spec: 'interface#chat-request-body',
    lives: scope,
  },
  'chat.group-ids-empty': {
    says: 'An empty list of group_ids is the same as leaving it out: the scope of the key, never more.',
    spec: 'open-items#error-body',
    lives: scope,
  },
  'chat.user': {
    says: 'Who asks is noted for analytics; the id counts where both id and e-mail are sent.',
    spec: 'interface#chat-request-body',
    lives: question,
  },
  'chat.widget-id-invalid': {
    says: 'A widget_id that is no valid id is a 400 with BAD_REQUEST.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: body,
  },
  'chat.widget-disabled': {
    says: 'A widget whose switch is off is a 403 with WIDGET_DISABLED, on chat, on a thread, on search and over the socket.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: widgetGate,
  },
  'chat.widget-origin': {
    says: 'A page that the widget does not allow is a 403 with ORIGIN_NOT_ALLOWED.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: widgetGate,
  },
  'chat.widget-not-found': {
    says: 'A widget that is unknown, or of another base, is a 404.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: widgetGate,
  },
  'chat.widget-voice': {
    says: 'A question with a widget_id is answered in the voice of that widget.',
    spec: 'interface#chat-request-body',
    lives: widgetGate,
  },
  'chat.unknown-fields': {
    says: 'Fields of a public body that are not known are passed over.',
    spec: 'open-items#1-conventions',
    lives: body,
  },
  'chat.one-data-line': {
    says: 'Each event is one data line with a JSON object and a blank line; there are no event names.',
    spec: 'interface#chat-response-stream',
    lives: sseFrame,
  },
  'chat.headers': {
    says: 'The stream is sent as text/event-stream, with the headers that keep proxies from caching, changing or gathering it.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: sse,
  },
  'chat.keep-alive': {
    says: 'A comment line goes out after every 15 seconds of silence.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: sse,
  },
  'chat.first-frame': {
    says: 'The first frame has the pages that were found, and done: false; it comes whenever answering starts.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.first-frame-empty': {
    says: 'When nothing was found the first frame is done: false alone, without citations.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.middle-frames': {
    says: 'The frames between carry the next piece of text as delta, and done: false.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.last-frame': {
    says: 'The last frame has done: true, the ids of thread and message, and the citations.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.last-citations-replace': {
    says: 'The citations of the last frame are those that the answer cites: they replace the first list, and may be none.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.answer-only-when-different': {
    says: 'answer is in the last frame only when the final text is another than the streamed one, and then replaces it.',
    spec: 'interface#chat-response-stream',
    lives: answering,
  },
  'chat.images-of-cited-pages': {
    says: 'answer may be there because images of cited pages were added.',
    spec: 'interface#chat-response-stream',
    lives: 'service/src/answers/answering/steps/check-citations.ts',
    deferred:
      'Optional. Images of pages are not kept with their passages yet, and an answer must not load pictures from addresses that nobody checked.',
  },
  'chat.no-ids-under-zero-retention': {
    says: 'Under zero data retention the last frame has neither thread_id nor message_id.',
    spec: 'interface#chat-response-stream',
    lives: chatFrames,
  },
  'chat.refused-before-answering': {
    says: 'A question refused before answering starts gets one error frame, or a JSON error, and nothing else.',
    spec: 'interface#chat-response-stream',
    lives: chatStream,
  },
  'chat.error-frame-ends': {
    says: 'After an error frame the stream ends; no done frame follows.',
    spec: 'interface#chat-response-stream',
    lives: answering,
  },
  'chat.error-frame-fields': {
    says: 'An error frame has error, error_code, code, retryable and request_id, in a stream whose status is 200.',
    spec: 'interface#after-the-stream-opened',
    lives: chatFrames,
  },
  'chat.error-misconfigured': {
    says: 'A model that is not set up, or out of credit, is misconfigured: not to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: modelFailures,
  },
  'chat.error-rate-limited': {
    says: 'A model that is busy is rate_limited: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: modelFailures,
  },
  'chat.error-timeout': {
    says: 'A model that takes too long is timeout: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: 'service/src/platform/llm/model-time-limits.ts',
  },
  'chat.error-unavailable': {
    says: 'A model that cannot be reached is unavailable: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: modelFailures,
  },
  'chat.error-internal': {
    says: 'A fault of ours or of the model’s wire is internal: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: answering,
  },
  'chat.error-content-filtered': {
    says: 'An answer that the model’s filter blocked is content_filtered: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: modelStream,
  },
  'chat.error-truncated': {
    says: 'An answer that was cut short is truncated: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: modelStream,
  },
  'chat.error-cancelled': {
    says: 'An answer that was cancelled is cancelled: to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: answering,
  },
  'chat.error-quota': {
    says: 'A used-up allowance is quota_exceeded: not to be tried again.',
    spec: 'interface#after-the-stream-opened',
    lives: chatStream,
  },
  'chat.quota-accept': {
    says: 'quota_exceeded is a 403 with a JSON error for who accepts JSON alone, and one error frame for all others.',
    spec: 'open-items#error-body',
    lives: chatStream,
  },
  'chat.covered-and-confidence': {
    says: 'The last frame says whether the base covers the question, and how sure the answer is, 0 to 1.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: chatFrames,
  },
  'chat.says-when-not-covered': {
    says: 'When the base does not cover a question the answer says so, instead of guessing.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/answers/answering/writers.ts',
  },
  'chat.powered-by': {
    says: 'The last frame names what powers the answer, with its address.',
    spec: 'interface#chat-response-stream',
    lives: 'service/src/channels/public-api/powered-by.ts',
  },
  'chat.no-restricted': {
    says: 'Restricted documents are never used on the public API.',
    spec: 'interface#what-the-service-does',
    lives: question,
  },
  'chat.leaving-ends-the-model': {
    says: 'A reader who leaves ends the call to the model within 250 ms.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: sse,
  },
  'chat.foreign-clients': {
    says: 'Clients for server-sent events that others wrote read every frame.',
    spec: 'interface#chat-response-stream',
    lives: sseFrame,
  },
} as const satisfies Record<string, Requirement>
