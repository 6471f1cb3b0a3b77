import { z } from 'zod'
import { declareEndpoints, GET } from './endpoint.ts'
import { Id, idOf, nullableText, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OfWorkspace } from './workspaces.ts'

const Actor = z.object({
  type: z.enum(['person', 'service']),
  user_id: Id.nullable(),
  name: nullableText('Ada').describe(
    'Of the person, or of the part of the service. Null: the person has been deleted.',
  ),
  email: nullableText('ada@example.com'),
  token_id: Id.nullable().describe('The access token that was used.'),
  token_name: nullableText('deploy script').describe('Null: it was deleted.'),
})

const Target = z.object({
  type: z.string().meta({ examples: ['knowledge_base'] }),
  id: z.string().meta({ examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'] }),
  name: nullableText('Acme docs').describe('The name at that time; for a person, the e-mail address.'),
})

const Action = z
  .string()
  .max(100)
  .meta({ description: 'What was done, and to what kind of record.', examples: ['knowledge_base.archived'] })

export const ActivityEntry = z
  .object({
    id: Id,
    workspace_id: idOf('workspace'),
    sequence: z
      .int()
      .min(1)
      .meta({ description: 'Its place in the log, without gaps.', examples: [42] }),
    knowledge_base_id: Id.nullable().describe('Kept when the knowledge base is deleted.'),
    actor: Actor,
    action: Action,
    target: Target,
    details: z.record(z.string(), z.unknown()).meta({
      description: 'Further details, which depend on the action.',
      examples: [{ fields: ['name'] }],
    }),
    hash: z.string().describe('SHA-256 over the hash of the previous entry and this entry, in hex.'),
    created_at: Timestamp,
  })
  .meta({ id: 'ActivityEntry', description: 'One entry of the append-only activity log.' })

export type ActivityEntry = z.infer<typeof ActivityEntry>

export const ActivityQuery = PageQuery.extend({
  action: Action.optional(),
  actor_id: Id.optional().describe('Only what this person did.'),
  knowledge_base_id: Id.optional().describe('Only what was done to this knowledge base.'),
})

export const ACTIVITY_ENDPOINTS = declareEndpoints({
  listActivity: {
    caller: 'access-token',
    room: 'accounts/activity-log',
    group: 'Workspaces',
    ...GET('/api/v1/workspaces/{id}/activity'),
    summary: 'Read the activity log',
    description: 'Who did what, newest first. For owners and admins.',
    scope: 'read',
    permission: 'administer',
    params: OfWorkspace,
    query: ActivityQuery,
    answer: { status: 200, body: pageOf(ActivityEntry, 'ActivityPage') },
  },
})
