import { z } from 'zod'
import { TokenScopes } from './access-tokens.ts'
import { declareEndpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { PLAN_NAMES } from './limits.ts'
import { Role } from './roles.ts'

export const Me = z
  .object({
    user: z.object({
      id: Id,
      email: z.string().meta({ examples: ['ada@example.com'] }),
      name: z.string().meta({ examples: ['Ada'] }),
    }),
    workspaces: z.array(
      z.object({
        id: Id,
        name: z.string().meta({ examples: ['Acme'] }),
        plan: z.enum(PLAN_NAMES),
        role: Role,
      }),
    ),
    token: z
      .object({
        id: Id,
        name: z.string().meta({ examples: ['deploy script'] }),
        scopes: TokenScopes,
        expires_at: Timestamp.nullable(),
        is_operator: z.boolean().meta({
          description: 'Whether it is of whoever operates this instance, and may set plans and allowances.',
          examples: [false],
        }),
      })
      .meta({ description: 'The access token that was sent.' }),
  })
  .meta({ id: 'Me', description: 'The caller, with the workspaces they are in and their role in each.' })

export type Me = z.infer<typeof Me>

const SignOutQuery = z.object({
  also: z.enum(['access_tokens']).optional().meta({
    description:
      '`access_tokens`: also delete every access token of yours but the one that is sent. Those of whoever operates the instance stay.',
  }),
})

export const ME_ENDPOINTS = declareEndpoints({
  getMe: {
    caller: 'access-token',
    room: 'accounts/workspaces',
    group: 'You and your tokens',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Read who you are',
    scope: 'read',
    permission: 'member',
    answer: { status: 200, body: Me },
  },
  endMySessions: {
    caller: 'access-token',
    room: 'accounts/sessions',
    group: 'You and your tokens',
    method: 'DELETE',
    path: '/api/v1/me/sessions',
    summary: 'Sign out everywhere',
    description:
      'Ends every browser that is signed in as you, at once. Connected tools are not touched; access tokens are where it is asked for.',
    scope: 'admin',
    permission: 'member',
    query: SignOutQuery,
    answer: { status: 204 },
  },
})
