import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const Name = text(1, LIMITS.name).meta({ examples: ['Version 2'] })
const Description = text(0, LIMITS.description)
  .nullable()
  .meta({ examples: [null] })

export const SourceGroup = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    description: Description,
  })
  .meta({
    id: 'SourceGroup',
    description: 'A named set of sources in one knowledge base. A source is in one group at most.',
  })

export type SourceGroup = z.infer<typeof SourceGroup>

export const NewSourceGroup = z
  .strictObject({ name: Name, description: Description.default(null) })
  .meta({ id: 'NewSourceGroup' })

export const SourceGroupChange = z
  .strictObject({ name: Name, description: Description })
  .partial()
  .meta({ id: 'SourceGroupChange', examples: [{ name: 'Version 2' }] })

const about = { caller: 'access-token', room: 'content/source-groups', group: 'Source groups' } as const

export const SOURCE_GROUP_ENDPOINTS = declareEndpoints({
  listSourceGroups: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/source-groups',
    summary: 'List the source groups',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(SourceGroup, 'SourceGroupPage') },
  },
  createSourceGroup: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/source-groups',
    summary: 'Make a source group',
    description: 'Needs the Enterprise plan.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewSourceGroup,
    answer: { status: 201, body: SourceGroup },
    refusals: ['PLAN_REQUIRED', 'KNOWLEDGE_BASE_ARCHIVED'],
  },
  updateSourceGroup: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/source-groups/{id}',
    summary: 'Change a source group',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: SourceGroupChange,
    answer: { status: 200, body: SourceGroup },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteSourceGroup: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/source-groups/{id}',
    summary: 'Delete a source group',
    description: 'Its sources are kept, without a group.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
