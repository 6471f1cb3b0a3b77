import { declareEndpoints, CALLED_BY, POST } from './endpoint.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { PreviewFrame, SourcePreview } from './source-preview.ts'
import { NewSource, Source, SourceChange, SourceQuery, SourceToPreview } from './sources.ts'

const about = { caller: 'access-token', room: 'content/sources', group: 'Sources' } as const
const sources = recordEndpoints({
  ...about,
  path: 'sources',
  record: Source,
  page: pageOf(Source, 'SourcePage'),
})

export const SOURCE_ENDPOINTS = declareEndpoints({
  listSources: { ...sources.list({ summary: 'List the sources' }), query: SourceQuery },
  createSource: sources.create({
    summary: 'Add a source',
    description: 'It is not read yet: start a sync, upload files to it, or send documents to it.',
    body: NewSource,
  }),
  previewSource: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/sources/preview'),
    summary: 'Preview a source',
    description: 'Reads a few pages, stores nothing, and gives a reason for each address that it left out.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    body: SourceToPreview,
    recordedBy: 'nobody',
    answer: { status: 200, body: SourcePreview },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  watchPreview: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/sources/preview/events'),
    summary: 'Watch a preview of a source',
    description:
      'The same preview as a stream of server-sent events: what the site is, then each page and each address that is left out, as they come. The last frame has the whole preview.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    body: SourceToPreview,
    recordedBy: 'nobody',
    answer: { status: 200, events: PreviewFrame },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  getSource: sources.get({ summary: 'Read a source' }),
  updateSource: sources.change({
    summary: 'Change a source',
    description:
      'A new group or version label applies immediately to everything already indexed, without a new sync. A changed `config` applies from the next sync on.',
    body: SourceChange,
  }),
  deleteSource: sources.remove({
    summary: 'Delete a source',
    description: 'With its documents: answers stop using them immediately.',
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  }),
})
