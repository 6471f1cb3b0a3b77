import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/documents/documents.ts'
const present = 'service/src/content/documents/present-document.ts'
const store = 'service/src/content/documents/documents-store.ts'
const push = 'service/src/content/documents/push-documents.ts'
const addresses = 'service/src/content/addresses/addresses.ts'
const routes = 'open-items#2-management-api'

export const DOCUMENTS = {
  'documents.record': {
    says: 'A document has its source, group, title, url, visibility, version label, times of indexing and of its source, count of chunks, base and times.',
    spec: 'open-items#records',
    lives: present,
  },
  'documents.chunks': {
    says: 'One alone also has its chunks, each with id, headings, anchor and text.',
    spec: 'open-items#records',
    lives: present,
  },
  'documents.left-out': {
    says: 'A document says what limits of the service left out of it, and each sync of its source says so again.',
    spec: 'open-items#records',
    lives: 'service/src/content/parsing/left-out.ts',
  },
  'documents.withheld': {
    says: 'Words of restricted documents and custom answers are shown to those who may chat alone, at every endpoint; Config sees titles and states.',
    spec: 'open-items#records',
    lives: 'service/src/accounts/permissions/permissions.ts',
  },
  'documents.list': { says: 'GET lists the documents of a base.', spec: routes, lives },
  'documents.list-filters': {
    says: 'The list finds documents by a part of their title or address and by their version label; document-counts says how many a filter finds, by visibility.',
    spec: routes,
    lives: store,
  },
  'documents.list-order': {
    says: 'The list may be ordered by title, time of reading or number of passages, and is read in pages in that order.',
    spec: routes,
    lives: store,
  },
  'documents.change-many': {
    says: 'PATCH on the documents of a base makes up to 200 of them public or restricted, all or none; unknown ids are skipped.',
    spec: routes,
    lives,
  },
  'documents.change': { says: 'PATCH makes a document public or restricted.', spec: routes, lives },
  'documents.delete': {
    says: 'DELETE removes a document, of a files source with its file: 204.',
    spec: routes,
    lives,
  },
  'documents.files': {
    says: 'The files of a files source are listed, each with the document that readers find of it or none; deleting one deletes its document.',
    spec: routes,
    lives: 'service/src/content/documents/uploaded-files.ts',
  },
  'documents.push': {
    says: 'PUT sends documents as Markdown or HTML, not both; each can be found when the call returns.',
    spec: routes,
    lives: push,
  },
  'documents.upsert': {
    says: 'A known external_id is replaced; the same content again changes nothing.',
    spec: routes,
    lives: 'service/src/content/indexing/indexing-store.ts',
  },
  'documents.pushed-visibility': {
    says: "A pushed document may say its visibility; else it has its source's.",
    spec: routes,
    lives: push,
  },
  'documents.url': {
    says: 'Each url of a document, citation, search result, trace or figure is an http or https address; what has none of its own opens at its page on this service.',
    spec: 'interface#citation-in-chat-answers',
    lives: addresses,
  },
  'documents.url-found-again': {
    says: 'A document is found by the address that was given out for it, and by its path within its source.',
    spec: 'interface#citation-in-chat-answers',
    lives: addresses,
  },
  'documents.page': {
    says: 'Its page shows it as it was read, opened at the cited words and marked, and does nothing but be read.',
    spec: 'security#hostile-content',
    lives: 'service/src/channels/document-pages/render-passage.ts',
  },
  'documents.page-readers': {
    says: 'Its page and its file are for everybody where it is public in an external base at work, else for members who may chat there; nobody else learns that it exists.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/content/documents/shown-documents-store.ts',
  },
  'documents.original': {
    says: 'An uploaded file can be kept as it was uploaded, and is never shown by a browser.',
    spec: 'security#hostile-content',
    lives: 'service/src/channels/document-pages/send-original.ts',
  },
  'documents.take-back': {
    says: 'DELETE by external_id takes a document back: 204.',
    spec: routes,
    lives: push,
  },
} as const satisfies Record<string, Requirement>
