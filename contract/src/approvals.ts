import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { DECISIONS } from './closed-lists.ts'
import { Id, idOf, nullableText, recordFields, text, Timestamp } from './fields.ts'
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

const ActionName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, {
    error: 'must be lowercase letters, digits and underscores, and begin with a letter',
  })
  .meta({ description: 'Name of a declared action.', examples: ['refund'] })

/** What an agent app may do once somebody has approved it: an item of its `config.actions`. */
export const DeclaredAction = z.strictObject({
  name: ActionName,
  description: text(0, LIMITS.description).optional(),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
})

export type DeclaredAction = z.infer<typeof DeclaredAction>

/** At most this many in one agent app. */
export const MAX_ACTIONS = 50

const Action = z
  .strictObject({
    name: ActionName,
    input: z
      .record(z.string().max(100), z.unknown())
      .default({})
      .refine((input) => JSON.stringify(input).length <= LIMITS.ticketText, 'is too large')
      .meta({ description: 'What its address gets.', examples: [{ order: '4711' }] }),
  })
  .describe(
    'A declared action of the agent app (`config.actions`: `name`, `url`, `description`). Once it is approved, it is carried out, once: its address gets a POST with `approval_id`, `action`, `input` and `content`, signed like a webhook if the agent app has the credential `signing_secret`, and with the id of the approval as `Idempotency-Key`.',
  )

const Execution = z.enum(['waiting', 'done', 'failed', 'unknown']).meta({
  description:
    'What became of an approved action: `waiting` to be carried out, `done` if its address confirmed it, `failed` if it certainly was not carried out, `unknown` if it may have been. It is never tried again by itself.',
  examples: ['done'],
})

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
    action: Action.nullable().describe('What is carried out; null if nothing is.'),
    edited_content: Content.nullable().meta({
      description: 'What the person who decided made of the content; null if they left it.',
      examples: [null],
    }),
    expires_at: Timestamp.nullable().describe('From then on it cannot be approved.'),
    execution: Execution.nullable(),
    execution_note: nullableText().describe('Why it was not carried out.'),
    executed_at: Timestamp.nullable(),
  })
  .meta({ id: 'Approval', description: "An agent's reply or action that waits for a person's decision." })

export type Approval = z.infer<typeof Approval>

export const NewApproval = z
  .strictObject({
    agent_id: idOf('agent app'),
    kind: Kind.default('reply'),
    title: Title,
    content: Content,
    action: Action.optional(),
    dedupe_key: text(1, 200)
      .optional()
      .meta({
        description: 'An id of the agent’s own. Asking with it again returns the approval that there is.',
        examples: ['ticket-1042-refund'],
      }),
    expires_at: Timestamp.optional(),
  })
  .meta({ id: 'NewApproval' })

export type NewApproval = z.infer<typeof NewApproval>

export const ApprovalChange = z
  .strictObject({
    decision: Decision,
    comment: Comment.default(null),
    content: Content.optional().meta({
      description: 'The content as the person who approves wants it. The agent’s own is kept beside it.',
      examples: ['Your refund of 20 € is on its way.'],
    }),
  })
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
    description:
      'A decided approval cannot be changed, and one that has expired cannot be approved: 409. An approved action is carried out once.',
    body: ApprovalChange,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  }),
  deleteApproval: approvals.remove({ summary: 'Delete an approval' }),
})
