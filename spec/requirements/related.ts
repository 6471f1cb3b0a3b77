import type { Requirement } from '../requirement.ts'

const routes = 'service/src/channels/public-api/public-search-routes.ts'
const schema = 'contract/src/related.ts'

export const RELATED = {
  'related.up-to-five': {
    says: 'Up to five pages, one entry a page, best match first.',
    spec: 'interface#related-pages',
    lives: routes,
  },
  'related.snippet': {
    says: 'The snippet is the text of the matching passage, cut at 200 characters.',
    spec: 'interface#related-pages',
    lives: 'service/src/channels/public-api/snippet.ts',
  },
  'related.articles': {
    says: 'The list is called articles; each has url, title and snippet; count is their number.',
    spec: 'interface#related-pages',
    lives: 'service/src/channels/public-api/present-search.ts',
  },
  'related.powered-by': {
    says: 'The answer names what powers it, with its address.',
    spec: 'interface#public-api',
    lives: 'service/src/channels/public-api/powered-by.ts',
  },
  'related.groups-of-key': {
    says: 'It searches within the groups of the key, if it has any.',
    spec: 'interface#related-pages',
    lives: routes,
  },
  'related.no-group-ids': {
    says: 'It takes no group_ids.',
    spec: 'interface#related-pages',
    lives: schema,
  },
  'related.no-restricted': {
    says: 'Restricted documents are never returned.',
    spec: 'interface#related-pages',
    lives: routes,
  },
  'related.query-required': {
    says: 'query is required.',
    spec: 'interface#public-api',
    lives: schema,
  },
} as const satisfies Record<string, Requirement>
