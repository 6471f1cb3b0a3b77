import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/documents/documents.ts'
const sourcesStore = 'service/src/content/sources/sources-store.ts'
const general = 'interface#what-the-service-does'
const states = 'interface#knowledge-base-1'

export const VISIBILITY = {
  'visibility.restricted-nowhere': {
    says: 'Restricted documents are used by no public surface: not by chat, search, related pages, suggested questions, citations or forms.',
    spec: general,
    lives: 'service/src/content/search/search-store.ts',
  },
  'visibility.history': {
    says: 'What an earlier answer of a thread told of a document that may no longer be read is not told again.',
    spec: general,
    lives: 'service/src/answers/conversations/conversations.ts',
  },
  'visibility.applies-at-once': {
    says: 'Making a document public or restricted counts for the next question.',
    spec: general,
    lives,
  },
  'visibility.team-reads-all': {
    says: 'People of the team are answered from restricted documents too.',
    spec: general,
    lives: 'service/src/channels/team-api/team-ask-routes.ts',
  },
  'visibility.source-at-once': {
    says: 'A change of the visibility of a source applies to its documents at once.',
    spec: 'open-items#2-management-api',
    lives: sourcesStore,
  },
  'visibility.document-wins': {
    says: 'A visibility given to a document by itself stays, whatever becomes of its source.',
    spec: 'open-items#2-management-api',
    lives: sourcesStore,
  },
  'visibility.internal-restricts': {
    says: 'A base that turns internal restricts every document that it has indexed.',
    spec: states,
    lives,
  },
  'visibility.internal-indexes-restricted': {
    says: 'Every document that an internal base indexes is restricted, and cannot be made public.',
    spec: 'interface#source-source-group-document',
    lives: 'service/src/content/indexing/index-sources-store.ts',
  },
  'visibility.back-to-external': {
    says: 'Back to external, what was indexed stays restricted; what is new follows its source.',
    spec: states,
    lives,
  },
} as const satisfies Record<string, Requirement>
