/** The limits of the public API, by what they count. */
export type RateLimitedAs = 'chat' | 'search' | 'related' | 'suggested' | 'feedback' | 'other'

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
])

/**
 * Which limit the requests of a public operation count under: each counts under one, so that none is free. A WebSocket counts
 * each question that it takes, as `chat`.
 *
 * @param operationId - the endpoint's
 */
export const rateLimitedAs = (operationId: string): RateLimitedAs =>
  RATE_LIMITED_AS.get(operationId) ?? 'other'
