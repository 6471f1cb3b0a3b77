import type { Requirement } from '../requirement.ts'

export const OPENAI = {
  'openai.whole-answer': {
    says: 'The OpenAI chat shape is answered over the same answering, model being the id of the base.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-answer.ts',
  },
  'openai.stream': {
    says: 'With stream it comes as OpenAI’s events, up to [DONE].',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-answer.ts',
  },
  'openai.sources': {
    says: 'Clients that know nothing of citations see the cited pages as links; others read them beside the text.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-sources.ts',
  },
  'openai.names-are-text': {
    says: 'A page’s title is text in the sources, whatever it holds: no HTML, no link of its own, no line of its own.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-sources.ts',
  },
  'openai.stream-numbers': {
    says: 'The sources below a stream have the numbers that its text has.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-sources.ts',
  },
  'openai.usage': {
    says: 'usage is there, with stream where it is asked for.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-answer.ts',
  },
  'openai.history': {
    says: 'Earlier turns of the client are taken into account; its system messages are not.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-conversation.ts',
  },
  'openai.keys': {
    says: 'The client key goes as the API key, or in our own headers; a secret pair too.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/client-credentials.ts',
  },
  'openai.models': {
    says: 'The list of models has the base of the key.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-routes.ts',
  },
  'openai.errors': {
    says: 'Errors have OpenAI’s shape and their true status.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-error.ts',
  },
  'openai.failures': {
    says: 'An answer that fails before its first words has a true status, one that fails later an error event.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-answer.ts',
  },
  'openai.abort': {
    says: 'A client that aborts ends the call to the model within 250 ms.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/openai-routes.ts',
  },
  'openai.limits': {
    says: 'It counts against the chat limits.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'contract/src/rate-limited.ts',
  },
} as const satisfies Record<string, Requirement>
