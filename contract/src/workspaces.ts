import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { idOf, recordFields, text } from './fields.ts'
import { LIMITS, PLAN_NAMES } from './limits.ts'
import { TriedWorkspaceLlm, TryWorkspaceLlm, WorkspaceLlm, WorkspaceLlmChange } from './workspace-llm.ts'

const Name = text(1, LIMITS.name).meta({ examples: ['Acme'] })

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
    llm: WorkspaceLlm.nullable().meta({
      description: 'The model that answers here. Null: that of the instance.',
    }),
  })
  .meta({ id: 'Workspace', description: 'A container for knowledge bases and the members who work on them.' })

export type Workspace = z.infer<typeof Workspace>

export const WorkspaceChange = z
  .strictObject({ ...fields, llm: WorkspaceLlmChange.nullable() })
  .partial()
  .meta({ id: 'WorkspaceChange', examples: [{ name: 'Acme' }] })

export type WorkspaceChange = z.infer<typeof WorkspaceChange>

/** `/workspaces/{id}/…` */
export const OfWorkspace = z.object({ id: idOf('workspace') })

const about = { caller: 'access-token', room: 'accounts/workspaces', group: 'Workspaces' } as const

export const WORKSPACE_ENDPOINTS = declareEndpoints({
  getWorkspace: {
    ...about,
    method: 'GET',
    path: '/api/v1/workspaces/{id}',
    summary: 'Read a workspace',
    scope: 'read',
    permission: 'member',
    params: OfWorkspace,
    answer: { status: 200, body: Workspace },
  },
  updateWorkspace: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/workspaces/{id}',
    summary: 'Change a workspace',
    description:
      'For its owners and admins. `plan` and `monthly_question_allowance` can only be set by operators of the instance: with the token of its command line, or the one it was started with.',
    scope: 'admin',
    permission: 'administer',
    params: OfWorkspace,
    body: WorkspaceChange,
    recordedBy: 'room',
    answer: { status: 200, body: Workspace },
  },
  tryWorkspaceLlm: {
    ...about,
    method: 'POST',
    path: '/api/v1/workspaces/{id}/llm/test',
    summary: 'Try a language model',
    description:
      'Asks the model of the workspace, or one with the settings in the body, a tiny question, and stops it at its first word; at most 20 seconds. The provider may charge for it. Nothing is stored. One at a time for each workspace.',
    scope: 'admin',
    permission: 'administer',
    params: OfWorkspace,
    body: TryWorkspaceLlm,
    isBodyOptional: true,
    recordedBy: 'nobody',
    answer: { status: 200, body: TriedWorkspaceLlm },
    refusals: ['RATE_LIMITED'],
  },
})
