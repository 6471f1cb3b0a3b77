import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/integrations'

export const BOTS = {
  'bots.records': {
    says: 'The bots of a knowledge base are created, listed, read, changed and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'bots.counted': {
    says: 'The deletion preview counts bots, and a deletion takes them along.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'bots.credentials-kept': {
    says: 'Credentials of a bot are sealed, and never returned.',
    spec: 'security#1.8',
    lives,
  },
  'bots.internal-keep-answering': {
    says: 'A bot that was connected before its knowledge base became internal stays as it is, and its record says that it answers everyone in the channel.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'bots.internal-acknowledged': {
    says: 'Since bots do not check who asks, connecting one to an internal knowledge base has to be acknowledged.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'bots.answer-in-channels': {
    says: 'A connected bot answers in its channel, for everyone in it.',
    spec: 'interface#what-the-service-does',
    lives,
    deferred: 'the connectors to chat platforms are a later issue',
  },
} as const satisfies Record<string, Requirement>
