/** The rate limits of the public API, by what they count. */
export type RateLimitedAs = 'chat' | 'search' | 'related' | 'suggested' | 'feedback' | 'widget-key' | 'other'

const RATE_LIMITED_AS: ReadonlyMap<string, RateLimitedAs> = new Map([
  ['chat', 'chat'],
  ['chatOnThread', 'chat'],
  ['completeChat', 'chat'],
  ['deflectForm', 'chat'],
  ['search', 'search'],
  ['findRelated', 'related'],
  ['suggestQuestions', 'suggested'],
  ['giveFeedback', 'feedback'],
  ['withdrawFeedback', 'feedback'],
  ['tellFormOutcome', 'feedback'],
  ['getWidgetKey', 'widget-key'],
  ['getKeyOfSavedWidget', 'widget-key'],
])

/**
 * The rate limit that requests of a public operation count against: each counts against one, so that none is unlimited. On a WebSocket
 * each question counts as `chat`.
 *
 * @param operationId - that of the endpoint
 */
export const rateLimitedAs = (operationId: string): RateLimitedAs =>
  RATE_LIMITED_AS.get(operationId) ?? 'other'
