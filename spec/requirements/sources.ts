import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/sources'
const routes = 'open-items#2-management-api'
const refreshes = 'interface#knowledge-base'

export const SOURCES = {
  'sources.record': {
    says: 'A source has its name, type, config, version label, group, visibility, refresh, status, document count, last sync, base and times.',
    spec: 'open-items#records',
    lives,
  },
  'sources.status': {
    says: 'Its status is idle, queued, syncing or failed, as its last sync has it.',
    spec: 'open-items#records',
    lives,
  },
  'sources.list': { says: 'GET lists the sources of a base.', spec: routes, lives },
  'sources.create': { says: 'POST makes a source: 201 with the record.', spec: routes, lives },
  'sources.read': { says: 'GET reads one source.', spec: routes, lives },
  'sources.change': {
    says: 'PATCH changes a source; its config is merged key by key and checked as its type has it.',
    spec: routes,
    lives,
  },
  'sources.delete': { says: 'DELETE removes a source with its documents: 204.', spec: routes, lives },
  'sources.configs': {
    says: 'Each type has its own config; one that does not fit is refused with 400, field by field.',
    spec: routes,
    lives,
  },
  'sources.website': {
    says: 'A website is read from start_urls on, as include, exclude, max_pages and use_sitemap say.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.render-js': {
    says: 'With render_js the pages of a website are opened in a browser before they are read.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.rendered-origins': {
    says: "The scripts of a page read and send what a browser's own rules let them: other origins only where these allow it.",
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.rendered-private': {
    says: 'A page of the public web leads to public addresses only, whatever private networks are opened.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.content-selector': {
    says: 'Of each page of a website the part that content_selector names is read, and nothing else.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.sitemap': {
    says: 'A sitemap is read with the pages that it lists.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.repository': {
    says: 'A repository is read by its address or from a local path, at ref, as include and exclude say.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.openapi': {
    says: 'An API description is read as a document for each operation.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.visibility': {
    says: 'The visibility of a source is that of what it indexes, where nothing else is said.',
    spec: routes,
    lives,
  },
  'sources.preview': {
    says: 'A preview reads the first pages, stores nothing, and names the reason for each address left out.',
    spec: routes,
    lives,
  },
  'sources.preview-limits': {
    says: 'One preview of a person and two in all run at once; others wait in turn, or are told with 429 when to come back.',
    spec: routes,
    lives: 'service/src/content/connectors',
  },
  'sources.refresh': {
    says: 'A source is synced by itself as its refresh says: not at all, hourly, daily, weekly or monthly.',
    spec: routes,
    lives,
  },
  'sources.scheduled-crawling': {
    says: "The scheduled crawling of a base is an extra sync of every source, on top of each one's own refresh.",
    spec: refreshes,
    lives,
  },
  'sources.moved-clock': {
    says: 'A clock that was set back or forward holds up no schedule for longer than one interval.',
    spec: refreshes,
    lives,
  },
  'sources.files': {
    says: 'Files are uploaded to a files source as a multipart form, and a sync is asked for.',
    spec: routes,
    lives,
  },
} as const satisfies Record<string, Requirement>
