import type { Requirement } from '../requirement.ts'

const numbers = 'service/src/answers/citations/number-parts.ts'

export const CITATIONS = {
  'citations.fields': {
    says: 'A citation has index, title, url, document_id, chunk_id, heading_path and excerpt.',
    spec: 'interface#citation-in-chat-answers',
    lives: 'service/src/answers/citations/citation-of.ts',
  },
  'citations.index': {
    says: '[n] in the text means the citation whose index is n.',
    spec: 'interface#citation-in-chat-answers',
    lives: numbers,
  },
  'citations.renumbered': {
    says: 'Markers are numbered anew from 1 over the sources that are cited.',
    spec: 'interface#chat-response-stream',
    lives: numbers,
  },
  'citations.version-said': {
    says: 'The version label of a source stands with what is cited of it.',
    spec: 'interface#source-source-group-document',
    lives: 'service/src/answers/citations/versions.ts',
  },
} as const satisfies Record<string, Requirement>
