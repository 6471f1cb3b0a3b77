import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { DECISIONS } from './events.ts'
import { Id, idOf, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'

const Kind = z.enum(['reply', 'action']).meta({
  description: 'Whether the agent wants to say something or to do something.',
  examples: ['reply'],
})
const Title = text(1, 200).meta({ examples: ['Reply to ticket 1042'] })
const Content = text(1, LIMITS.ticketText).meta({
  description: 'What the agent wants to say or do, for the person who decides.',
  examples: ['Your refund is on its way.'],
})
const Comment = text(0, LIMITS.feedbackComment)
  .nullable()
  .meta({ examples: [null] })
const Decision = z.enum(DECISIONS)

export const Approval = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    agent_id: idOf('agent app'),
    kind: Kind,
    title: Title,
    content: Content,
    status: z.enum(['pending', ...DECISIONS]).meta({ examples: ['pending'] }),
    decision: Decision.nullable().meta({ description: 'Null until someone has decided.', examples: [null] }),
    comment: Comment,
    decided_by: Id.nullable().meta({ description: 'Who decided.', examples: [null] }),
    decided_at: Timestamp.nullable(),
  })
  .meta({ id: 'Approval', description: "An agent's reply or action that waits for a person's decision." })

export type Approval = z.infer<typeof Approval>

export const NewApproval = z
  .strictObject({ agent_id: idOf('agent app'), kind: Kind.default('reply'), title: Title, content: Content })
  .meta({ id: 'NewApproval' })

export type NewApproval = z.infer<typeof NewApproval>

export const ApprovalChange = z
  .strictObject({ decision: Decision, comment: Comment.default(null) })
  .meta({ id: 'ApprovalChange', description: 'The decision. It is final.' })

export type ApprovalChange = z.infer<typeof ApprovalChange>

const about = { caller: 'access-token', room: 'channels/approvals', group: 'Approvals' } as const

export const APPROVAL_ENDPOINTS = declareEndpoints({
  listApprovals: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/approvals',
    summary: 'List the approvals',
    description: 'Newest first.',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: PageQuery.extend({ status: z.enum(['pending', ...DECISIONS]).optional() }),
    answer: { status: 200, body: pageOf(Approval, 'ApprovalPage') },
  },
  createApproval: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/approvals',
    summary: 'Ask for approval',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewApproval,
    answer: { status: 201, body: Approval },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  getApproval: {
    ...about,
    method: 'GET',
    path: '/api/v1/approvals/{id}',
    summary: 'Read an approval',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: Approval },
  },
  decideApproval: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/approvals/{id}',
    summary: 'Approve or reject',
    description: 'A decided approval cannot be changed: 409.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: ApprovalChange,
    answer: { status: 200, body: Approval },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  deleteApproval: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/approvals/{id}',
    summary: 'Delete an approval',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
})
