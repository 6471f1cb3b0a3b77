import { declareEndpoints } from './endpoint.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import { SourcePreview } from './source-preview.ts'
import { NewSource, Source, SourceChange, SourceQuery, SourceToPreview } from './sources.ts'

const about = { caller: 'access-token', room: 'content/sources', group: 'Sources' } as const

export const SOURCE_ENDPOINTS = declareEndpoints({
  listSources: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/sources',
    summary: 'List the sources',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: SourceQuery,
    answer: { status: 200, body: pageOf(Source, 'SourcePage') },
  },
  createSource: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/sources',
    summary: 'Add a source',
    description: 'It is not read yet: start a sync, upload files to it, or send documents to it.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewSource,
    answer: { status: 201, body: Source },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  previewSource: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/sources/preview',
    summary: 'Preview a source',
    description: 'Reads a few pages, stores nothing, and gives a reason for each address that it left out.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: SourceToPreview,
    answer: { status: 200, body: SourcePreview },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  getSource: {
    ...about,
    method: 'GET',
    path: '/api/v1/sources/{id}',
    summary: 'Read a source',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: Source },
  },
  updateSource: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/sources/{id}',
    summary: 'Change a source',
    description:
      'A new group or version label applies immediately to everything already indexed, without a new sync. A changed `config` applies from the next sync on.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: SourceChange,
    answer: { status: 200, body: Source },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteSource: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/sources/{id}',
    summary: 'Delete a source',
    description: 'With its documents: answers stop using them immediately.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
