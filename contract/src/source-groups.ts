import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, lineText, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Version 2'] })
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

const groups = recordEndpoints({
  room: 'content/source-groups',
  group: 'Source groups',
  path: 'source-groups',
  record: SourceGroup,
  page: pageOf(SourceGroup, 'SourceGroupPage'),
})

export const SOURCE_GROUP_ENDPOINTS = declareEndpoints({
  listSourceGroups: groups.list({ summary: 'List the source groups' }),
  createSourceGroup: groups.create({
    summary: 'Make a source group',
    description: 'Needs the Enterprise plan.',
    body: NewSourceGroup,
    refusals: ['PLAN_REQUIRED', 'KNOWLEDGE_BASE_ARCHIVED'],
  }),
  updateSourceGroup: groups.change({ summary: 'Change a source group', body: SourceGroupChange }),
  deleteSourceGroup: groups.remove({
    summary: 'Delete a source group',
    description: 'Its sources are kept, without a group.',
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  }),
})
