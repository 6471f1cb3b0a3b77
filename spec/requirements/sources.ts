import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/sources/sources.ts'
const config = 'service/src/content/sources/source-config.ts'
const record = 'service/src/content/sources/present-source.ts'
const refreshing = 'service/src/content/sources/refresh-sources.ts'
const routes = 'open-items#2-management-api'
const refreshes = 'interface#knowledge-base'

export const SOURCES = {
  'sources.record': {
    says: 'A source has its name, type, config, version label, group, visibility, refresh, status, document count, last sync, base and times.',
    spec: 'open-items#records',
    lives: record,
  },
  'sources.status': {
    says: 'Its status is idle, queued, syncing or failed, as its last sync has it.',
    spec: 'open-items#records',
    lives: record,
  },
  'sources.list': { says: 'GET lists the sources of a base.', spec: routes, lives },
  'sources.create': { says: 'POST makes a source: 201 with the record.', spec: routes, lives },
  'sources.read': { says: 'GET reads one source.', spec: routes, lives },
  'sources.change': {
    says: 'PATCH changes a source; its config is merged key by key and checked as its type has it.',
    spec: routes,
    lives: config,
  },
  'sources.delete': {
    says: 'DELETE removes a source with its documents: 204.',
    spec: routes,
    lives: 'service/src/content/sources/sources-store.ts',
  },
  'sources.configs': {
    says: 'Each type has its own config; one that does not fit is refused with 400, field by field.',
    spec: routes,
    lives: 'contract/src/sources.ts',
  },
  'sources.website': {
    says: 'A website is read from start_urls on, as include, exclude, max_pages and use_sitemap say.',
    spec: routes,
    lives: 'service/src/content/connectors/website/website.ts',
  },
  'sources.render-js': {
    says: 'With render_js the pages of a website are opened in a browser before they are read.',
    spec: routes,
    lives: 'service/src/content/connectors/website/visit-page.ts',
  },
  'sources.rendered-origins': {
    says: "The scripts of a page read and send what a browser's own rules let them: other origins only where these allow it.",
    spec: routes,
    lives: 'service/src/content/connectors/website/page-requests.ts',
  },
  'sources.rendered-private': {
    says: 'A page of the public web leads to public addresses only, whatever private networks are opened.',
    spec: routes,
    lives: 'service/src/platform/outbound/crawl-outbound.ts',
  },
  'sources.content-selector': {
    says: 'Of each page of a website the part that content_selector names is read, and nothing else.',
    spec: routes,
    lives: 'service/src/content/parsing/html-content-root.ts',
  },
  'sources.opt-out': {
    says: 'A page that says noindex to robots or to citewell is left out, and so is an element with data-citewell="ignore".',
    spec: 'open-items#2-management-api',
    lives: 'service/src/content/parsing/html-opt-out.ts',
  },
  'sources.sitemap': {
    says: 'A sitemap is read with the pages that it lists.',
    spec: routes,
    lives: 'service/src/content/connectors/sitemap/sitemap.ts',
  },
  'sources.repository': {
    says: 'A repository is read by its address or from a local path, at ref, as include and exclude say.',
    spec: routes,
    lives: 'service/src/content/connectors/repository/repository.ts',
  },
  'sources.openapi': {
    says: 'An API description is read as a document for each operation.',
    spec: routes,
    lives: 'service/src/content/connectors/openapi/openapi.ts',
  },
  'sources.visibility': {
    says: 'The visibility of a source is that of what it indexes, where nothing else is said.',
    spec: routes,
    lives: 'service/src/content/indexing/index-sources-store.ts',
  },
  'sources.preview': {
    says: 'A preview reads the first pages, stores nothing, and names the reason for each address left out.',
    spec: routes,
    lives: 'service/src/content/connectors/preview-source.ts',
  },
  'sources.preview-limits': {
    says: 'One preview of a person and two in all run at once; others wait in turn, or are told with 429 when to come back.',
    spec: routes,
    lives: 'service/src/content/connectors/preview-slots.ts',
  },
  'sources.refresh': {
    says: 'A source is synced by itself as its refresh says: not at all, hourly, daily, weekly or monthly.',
    spec: routes,
    lives: refreshing,
  },
  'sources.scheduled-crawling': {
    says: "The scheduled crawling of a base is an extra sync of every source, on top of each one's own refresh.",
    spec: refreshes,
    lives: refreshing,
  },
  'sources.moved-clock': {
    says: 'A clock that was set back or forward holds up no schedule for longer than one interval.',
    spec: refreshes,
    lives: 'service/src/content/sources/refresh-store.ts',
  },
  'sources.files': {
    says: 'Files are uploaded to a files source as a multipart form, and a sync is asked for.',
    spec: routes,
    lives: 'service/src/content/sources/upload-files.ts',
  },
  'sources.local-paths': {
    says: 'Folders and files of the machine are read only where the operator lists them, whoever asks; a source or preview of another is refused with 400, in the same words whether it is there or not.',
    spec: 'security#1.5',
    lives: 'service/src/platform/files/local-paths.ts',
  },
  'sources.private-hosts': {
    says: 'A source or preview that names a private host is refused with 400, by ssh and git as by http.',
    spec: 'security#1.5',
    lives: 'service/src/content/connectors/check-source.ts',
  },
  'sources.foreign-git': {
    says: 'git works in repositories of the service alone: what another says in its configuration, hooks and promises is not done.',
    spec: 'security#1.6',
    lives: 'service/src/content/connectors/repository/copy-repository.ts',
  },
  'sources.bounded-git': {
    says: 'Trees, histories, objects and includes of a repository are read within limits, and end when they are cancelled.',
    spec: 'security#1.6',
    lives: 'service/src/content/connectors/repository/git-limits.ts',
  },
  'sources.credentials': {
    says: 'Credentials of a source are sealed apart from its address, told by has_credentials alone, and dropped when it moves to another host.',
    spec: 'security#1.8',
    lives: config,
  },
  'sources.connected-accounts': {
    says: 'An account at another platform is connected with a button, by the browser that began it alone; its tokens are sealed, renewed by one at a time, and taken back when it is disconnected.',
    spec: 'security#1.8',
    lives: 'service/src/content/source-connections',
  },
  'sources.credentials-unseen': {
    says: 'What lets a source in is in no answer, error, log line or row.',
    spec: 'security#1.8',
    lives: 'service/src/content/connectors/extract-credentials.ts',
  },
} as const satisfies Record<string, Requirement>
