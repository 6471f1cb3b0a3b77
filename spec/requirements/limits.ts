import type { Requirement } from '../requirement.ts'

const limits = 'contract/src/limits.ts'
const connections = 'service/src/platform/http/guard-connections.ts'
const spec = 'interface#limits'

export const LIMITS_OF_THE_CONTRACT = {
  'limits.query': { says: 'A question has at most 4,000 characters.', spec, lives: limits },
  'limits.top-k': {
    says: 'top_k is 15 where it is left out, and 100 where more is asked.',
    spec,
    lives: 'contract/src/chat.ts',
  },
  'limits.starter-questions': {
    says: 'An own list has up to 8 starter questions of up to 200 characters.',
    spec,
    lives: limits,
  },
  'limits.knowledge-base-name': {
    says: 'The name of a knowledge base has 2 to 100 characters.',
    spec,
    lives: limits,
  },
  'limits.search-query': {
    says: 'A search has 1 to 1,000 characters and answers 10 results where limit is left out, at most 50.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: limits,
  },
  'limits.json-bodies': {
    says: 'A JSON body has at most 1 MiB.',
    spec: 'open-items#error-body',
    lives: limits,
  },
  'limits.slow-bodies': {
    says: 'A body that has not arrived after 30 seconds ends its connection, at every address; files may take 10 minutes, and no less than 10 kB a second after the first 30.',
    spec: 'open-items#error-body',
    lives: connections,
  },
  'limits.slow-readers': {
    says: 'A reader who takes nothing of an answer for 30 seconds is cut off, over a WebSocket for 15.',
    spec: 'open-items#error-body',
    lives: connections,
  },
  'limits.sockets-end': {
    says: 'A WebSocket whose reader does not answer that it is closed ends 2 seconds later.',
    spec: 'open-items#error-body',
    lives: 'service/src/platform/http/socket.ts',
  },
  'limits.connections': {
    says: 'Connections and WebSockets are limited in number, in all and from one address that is no proxy.',
    spec: 'open-items#error-body',
    lives: connections,
  },
  'limits.pushed-documents': {
    says: 'A body of pushed documents has at most 16 MiB.',
    spec: 'open-items#error-body',
    lives: limits,
  },
  'limits.files': {
    says: 'An upload of files has at most 100 MiB.',
    spec: 'open-items#error-body',
    lives: limits,
  },
  'limits.turn-cap': {
    says: 'Automation on chat platforms gives 5 answers before a person takes over.',
    spec,
    lives: 'service/src/channels/tickets/ticket-rules.ts',
  },
} as const satisfies Record<string, Requirement>
