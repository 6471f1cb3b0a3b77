import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { OfWorkspace } from './workspaces.ts'

const Questions = z
  .int()
  .min(0)
  .meta({ examples: [214] })

export const WorkspaceUsage = z
  .object({
    workspace_id: Id,
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Calendar month in UTC.', examples: ['2026-11'] }),
    questions: Questions.meta({ description: 'Questions that counted this month, on every surface.' }),
    allowance: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Questions a month. Null: no limit.', examples: [10_000] }),
    remaining: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Questions left this month. Null: no limit.', examples: [9_786] }),
    resets_at: Timestamp.meta({ description: 'When the next month begins.' }),
    stored_bytes: z
      .int()
      .min(0)
      .meta({
        description: 'What documents, files and their index take on the disk, about.',
        examples: [48_120_300],
      }),
    stored_bytes_limit: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Most that may be stored. Null: no limit.', examples: [10_737_418_240] }),
    knowledge_bases: z.array(
      z.object({
        knowledge_base_id: Id,
        name: z
          .string()
          .nullable()
          .meta({ description: 'Null: it was deleted.', examples: ['Acme docs'] }),
        questions: Questions,
      }),
    ),
  })
  .meta({
    id: 'WorkspaceUsage',
    description: 'What a workspace asked this month and stores, and what it may.',
  })

export type WorkspaceUsage = z.infer<typeof WorkspaceUsage>

export const WORKSPACE_USAGE_ENDPOINTS = declareEndpoints({
  getWorkspaceUsage: {
    caller: 'access-token',
    room: 'accounts/allowance',
    group: 'Workspaces',
    method: 'GET',
    path: '/api/v1/workspaces/{id}/usage',
    summary: "Read this month's questions",
    description:
      'A question counts when it is let in, on whichever surface; it is given back when its answer failed upstream before the first word.',
    scope: 'read',
    permission: 'member',
    params: OfWorkspace,
    answer: { status: 200, body: WorkspaceUsage },
  },
})
