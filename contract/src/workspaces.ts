import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET, PATCH, POST } from './endpoint.ts'
import { idOf, lineText, recordFields, Timestamp, wholeNumber } from './fields.ts'
import { LIMITS, PLAN_NAMES } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import {
  TriedWorkspaceLlm,
  TryWorkspaceLlm,
  WorkspaceLlm,
  WorkspaceLlmChange,
  WorkspaceLlmProblem,
} from './workspace-llm.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Acme'] })

const PlanName = z.enum(PLAN_NAMES).meta({ examples: ['pro'] })

const Allowance = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .nullable()
  .meta({ description: 'Questions per month. Null: the limit of the plan.', examples: [20_000] })

const RetentionDays = z
  .int()
  .min(1)
  .max(3_650)
  .nullable()
  .meta({
    description: 'Conversations are deleted after this many days without activity. Null keeps them.',
    examples: [90],
  })

const fields = {
  name: Name,
  plan: PlanName,
  monthly_question_allowance: Allowance,
  zero_data_retention: z.boolean().meta({
    description: 'Conversations and answers are not stored: answers have no thread_id and no message_id.',
    examples: [false],
  }),
  retention_days: RetentionDays,
}

export const Workspace = z
  .object({
    ...recordFields,
    ...fields,
    llm: WorkspaceLlm.nullable().describe(
      'The model that answers here. Null: that of the instance; and always for an operator who is no member.',
    ),
    llm_problem: WorkspaceLlmProblem.nullable().meta({
      description:
        'Since when the model that answers here has not answered, after three failures in a row and until it answers again, as far as the process knows that is asked. Null: it answers, or was not asked yet; and always for whoever may not change it.',
      examples: [null],
    }),
    suspended_at: Timestamp.nullable().meta({
      description:
        'Since when the operator of the instance has suspended it. Its knowledge bases are archived, and none is made or restored. Null: it is not suspended.',
      examples: [null],
    }),
  })
  .meta({ id: 'Workspace', description: 'A container for knowledge bases and the members who work on them.' })

export type Workspace = z.infer<typeof Workspace>

/** A workspace as the operator of the instance sees it. */
export const InstanceWorkspace = Workspace.omit({ llm: true, llm_problem: true })
  .extend({
    member_count: wholeNumber(4).describe('Without people who are invited.'),
    knowledge_base_count: wholeNumber(2).describe('Without archived ones.'),
  })
  .meta({ id: 'InstanceWorkspace', description: 'A workspace of the instance, for its operator.' })

export type InstanceWorkspace = z.infer<typeof InstanceWorkspace>

export const NewWorkspace = z
  .strictObject({
    name: Name,
    plan: PlanName.default('free'),
    owner_email: z
      .string()
      .trim()
      .max(254)
      .pipe(z.email({ error: 'must be an e-mail address' }))
      .meta({ description: 'Who is invited as its first owner.', examples: ['ada@example.com'] }),
  })
  .meta({ id: 'NewWorkspace', examples: [{ name: 'Acme', owner_email: 'ada@example.com' }] })

export type NewWorkspace = z.infer<typeof NewWorkspace>

export const CreatedWorkspace = InstanceWorkspace.extend({
  invitation: z
    .object({
      email: z.string().meta({ examples: ['ada@example.com'] }),
      url: z.string().meta({
        description: 'Give it to the owner: it works once. It is shown only once.',
        examples: ['https://answers.example.com/invitation?code=cw_inv_…'],
      }),
      expires_at: Timestamp,
    })
    .describe('The link with which the first owner joins.'),
}).meta({ id: 'CreatedWorkspace', description: 'A new workspace, with the link for its owner.' })

export const WorkspaceChange = z
  .strictObject({ ...fields, llm: WorkspaceLlmChange.nullable() })
  .partial()
  .meta({ id: 'WorkspaceChange', examples: [{ name: 'Acme' }] })

export type WorkspaceChange = z.infer<typeof WorkspaceChange>

/** `/workspaces/{id}/…` */
export const OfWorkspace = z.object({ id: idOf('workspace') })

const about = { caller: 'access-token', room: 'accounts/workspaces', group: 'Workspaces' } as const

const byOperator = { ...about, scope: 'admin', permission: 'operate' } as const

export const WORKSPACE_ENDPOINTS = declareEndpoints({
  listWorkspaces: {
    ...byOperator,
    ...GET('/api/v1/workspaces'),
    summary: 'List all workspaces of the instance',
    description: 'For operators of the instance. `GET /me` has the workspaces of the caller.',
    query: PageQuery,
    answer: { status: 200, body: pageOf(InstanceWorkspace, 'InstanceWorkspacePage') },
  },
  createWorkspace: {
    ...byOperator,
    ...POST('/api/v1/workspaces'),
    summary: 'Make a workspace',
    description:
      'For operators of the instance. The response contains a link for its first owner, which works once and for seven days.',
    body: NewWorkspace,
    recordedBy: 'room',
    answer: { status: 201, body: CreatedWorkspace },
  },
  suspendWorkspace: {
    ...byOperator,
    ...POST('/api/v1/workspaces/{id}/suspend'),
    summary: 'Suspend a workspace',
    description:
      'For operators of the instance. Archives its active knowledge bases: they answer nothing on any surface, and run no syncs. Its members still sign in, read and delete, and can neither make nor restore a knowledge base.',
    params: OfWorkspace,
    recordedBy: 'room',
    answer: { status: 200, body: Workspace },
    refusals: ['CONFLICT'],
  },
  resumeWorkspace: {
    ...byOperator,
    ...POST('/api/v1/workspaces/{id}/resume'),
    summary: 'Resume a suspended workspace',
    description:
      'For operators of the instance. Restores the knowledge bases that the suspension archived, as they were: the oldest first, as many as the plan allows now. The others stay archived, and the activity log says how many.',
    params: OfWorkspace,
    recordedBy: 'room',
    answer: { status: 200, body: Workspace },
    refusals: ['CONFLICT'],
  },
  getWorkspace: {
    ...about,
    ...GET('/api/v1/workspaces/{id}'),
    summary: 'Read a workspace',
    ...CALLED_BY.members,
    params: OfWorkspace,
    answer: { status: 200, body: Workspace },
  },
  updateWorkspace: {
    ...about,
    ...PATCH('/api/v1/workspaces/{id}'),
    summary: 'Change a workspace',
    description:
      'For its owners and admins. `plan` and `monthly_question_allowance` can only be set by operators of the instance: with the token of its command line, or the one it was started with.',
    ...CALLED_BY.admins,
    params: OfWorkspace,
    body: WorkspaceChange,
    recordedBy: 'room',
    answer: { status: 200, body: Workspace },
  },
  tryWorkspaceLlm: {
    ...about,
    ...POST('/api/v1/workspaces/{id}/llm/test'),
    summary: 'Try a language model',
    description:
      'Asks the model of the workspace, or one with the settings in the body, a tiny question, and stops it at its first word; at most 20 seconds. The provider may charge for it. Nothing is stored. One at a time for each workspace.',
    ...CALLED_BY.admins,
    params: OfWorkspace,
    body: TryWorkspaceLlm,
    isBodyOptional: true,
    recordedBy: 'nobody',
    answer: { status: 200, body: TriedWorkspaceLlm },
    refusals: ['RATE_LIMITED'],
  },
})
