import type { Requirement } from '../requirement.ts'

const conversations = 'service/src/answers/conversations/conversations.ts'
const publicQuestion = 'service/src/channels/public-api/public-question.ts'

export const THREADS = {
  'threads.continue': {
    says: 'thread_id is sent back to go on with a conversation.',
    spec: 'interface#chat-response-stream',
    lives: publicQuestion,
  },
  'threads.earlier-turns': {
    says: 'Earlier turns are taken into account.',
    spec: 'interface#thread-route',
    lives: conversations,
  },
  'threads.same-as-chat': {
    says: 'The thread route takes the body of chat, with the same checks, and answers with the same stream.',
    spec: 'interface#public-api',
    lives: 'service/src/channels/public-api/public-chat-routes.ts',
  },
  'threads.route-invalid-id': {
    says: 'A thread id in the address that is no valid id is a 400.',
    spec: 'interface#thread-route',
    lives: conversations,
  },
  'threads.route-not-found': {
    says: 'A thread that is unknown, or of another base, is a 404 on the thread route.',
    spec: 'interface#thread-route',
    lives: conversations,
  },
  'threads.bound-to-key': {
    says: 'A thread answers only the base and the client key that it began with.',
    spec: 'open-items#1-conventions',
    lives: conversations,
  },
  'threads.widget-again': {
    says: 'widget_id has to be sent again with a follow-up: without it the base’s own voice answers.',
    spec: 'interface#thread-route',
    lives: 'service/src/channels/public-api/widget-gate.ts',
  },
  'threads.user-ignored': {
    says: 'user is passed over on the thread route: who asks is known from its beginning.',
    spec: 'interface#chat-request-body',
    lives: publicQuestion,
  },
  'threads.ids': {
    says: 'Ids of threads and messages are random (v4): a reader holds them like a ticket.',
    spec: 'open-items#1-conventions',
    lives: 'service/src/kernel/ids.ts',
  },
  'threads.message-of-thread': {
    says: 'An answer belongs to a thread and is a message of its own in it.',
    spec: 'interface#thread-and-message',
    lives: conversations,
  },
} as const satisfies Record<string, Requirement>
