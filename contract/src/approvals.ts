import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { DECISIONS } from './closed-lists.ts'
import { Id, idOf, recordFields, text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

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

const approvals = recordEndpoints({
  room: 'channels/approvals',
  group: 'Approvals',
  path: 'approvals',
  record: Approval,
  page: pageOf(Approval, 'ApprovalPage'),
})

export const APPROVAL_ENDPOINTS = declareEndpoints({
  listApprovals: {
    ...approvals.list({ summary: 'List the approvals', description: 'Newest first.' }),
    query: PageQuery.extend({ status: z.enum(['pending', ...DECISIONS]).optional() }),
  },
  createApproval: approvals.create({ summary: 'Ask for approval', body: NewApproval }),
  getApproval: approvals.get({ summary: 'Read an approval' }),
  decideApproval: approvals.change({
    summary: 'Approve or reject',
    description: 'A decided approval cannot be changed: 409.',
    body: ApprovalChange,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  }),
  deleteApproval: approvals.remove({ summary: 'Delete an approval' }),
})
