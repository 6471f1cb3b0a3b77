import type { Requirement } from '../requirement.ts'

export const SEARCH = {
  'search.query-limit': {
    says: 'A search has a query of 1 to 1,000 characters.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'contract/src/search.ts',
  },
  'search.limit': {
    says: '10 results where nothing is said, 50 at most; beyond that a 400.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'contract/src/search.ts',
  },
  'search.fields': {
    says: 'A result has document_id, chunk_id, title, url, heading_path, snippet, score and version_label.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/present-search.ts',
  },
  'search.answer': {
    says: 'The answer has results, count, powered_by and powered_by_url.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/present-search.ts',
  },
  'search.group-ids': {
    says: 'group_ids narrow a search, and never widen what the key may see.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
  'search.widget-id': {
    says: 'A search that names a widget passes the checks of that widget.',
    spec: 'interface#widget-config-response',
    lives: 'service/src/channels/public-api/widget-gate.ts',
  },
  'search.no-restricted': {
    says: 'Restricted documents are never found by the public search.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/public-api/public-search-routes.ts',
  },
} as const satisfies Record<string, Requirement>
