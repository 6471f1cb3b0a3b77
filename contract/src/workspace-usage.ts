import { z } from 'zod'
import { SURFACES } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, GET } from './endpoint.ts'
import { Id, nullableText, Timestamp, wholeNumber } from './fields.ts'
import { OfWorkspace } from './workspaces.ts'

const Questions = wholeNumber(214)

const Month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .meta({ description: 'Calendar month in UTC.', examples: ['2026-11'] })

export const WorkspaceUsage = z
  .object({
    workspace_id: Id,
    month: Month,
    questions: Questions.describe('Questions counted this month, on all surfaces.'),
    allowance: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Questions per month. Null: no limit.', examples: [10_000] }),
    remaining: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Questions left this month. Null: no limit.', examples: [9_786] }),
    resets_at: Timestamp.describe('When the next month begins.'),
    stored_bytes: wholeNumber(48_120_300).describe(
      'Approximate disk space of documents, files and their index.',
    ),
    stored_bytes_limit: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Maximum storage. Null: no limit.', examples: [10_737_418_240] }),
    knowledge_bases: z.array(
      z.object({
        knowledge_base_id: Id,
        name: nullableText('Acme docs').describe('Null: it was deleted, or is not open to the caller.'),
        questions: Questions,
        surfaces: z
          .array(z.object({ surface: z.enum(SURFACES), questions: Questions }))
          .describe('Where they were asked; without surfaces on which nobody asked.'),
      }),
    ),
    history: z
      .array(z.object({ month: Month, questions: Questions }))
      .describe('The last twelve months, this one included, oldest first; months without a question too.'),
  })
  .meta({
    id: 'WorkspaceUsage',
    description: 'Questions of a workspace this month and its storage, with their limits.',
  })

export type WorkspaceUsage = z.infer<typeof WorkspaceUsage>

export const WORKSPACE_USAGE_ENDPOINTS = declareEndpoints({
  getWorkspaceUsage: {
    caller: 'access-token',
    room: 'accounts/allowance',
    group: 'Workspaces',
    ...GET('/api/v1/workspaces/{id}/usage'),
    summary: "Read this month's usage",
    description:
      'A question counts when it is accepted, on any surface; it is refunded if its answer failed upstream before the first word.',
    ...CALLED_BY.members,
    params: OfWorkspace,
    answer: { status: 200, body: WorkspaceUsage },
  },
})
