import { z } from 'zod'
import { TokenScopes } from './access-tokens.ts'
import { declareEndpoints, CALLED_BY, DELETE, GET } from './endpoint.ts'
import { Id, mayBeAbsent, nullableText, Timestamp } from './fields.ts'
import { PLAN_NAMES } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OneRecord } from './params.ts'
import { Role } from './roles.ts'

export const Me = z
  .object({
    user: z.object({
      id: Id,
      email: z.string().meta({ examples: ['ada@example.com'] }),
      name: z.string().meta({ examples: ['Ada'] }),
      has_password: z.boolean().meta({
        description:
          'Whether you can sign in with a password. False for who signs in by a provider only, or was let in by a link.',
        examples: [true],
      }),
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
          description: 'Whether it belongs to an operator of this instance, and may set plans and quotas.',
          examples: [false],
        }),
      })
      .nullable()
      .describe('The access token that was sent. Null for a signed-in browser.'),
    session: z
      .object({
        csrf: z.string().meta({
          description: 'Send it in the header `X-Citewell-Csrf` with every request that is not a GET.',
          examples: ['b0Jc8mXo2a5uT1p6R3v9wQ7yKzLdEfGhIjNsAtUqVxY'],
        }),
        expires_at: Timestamp.describe('When it expires if it is not used again.'),
      })
      .nullable()
      .describe(
        'The session of a signed-in browser: pages of this service may use every management endpoint with the cookie of the session instead of an access token. Null if a token was sent.',
      ),
  })
  .meta({ id: 'Me', description: 'The caller, with the workspaces they are in and their role in each.' })

export type Me = z.infer<typeof Me>

export const BrowserSession = z
  .object({
    id: Id,
    browser: nullableText('Firefox on Linux').describe('Null if it is not known.'),
    is_current: z
      .boolean()
      .meta({ description: 'Whether it is the session of this request.', examples: [true] }),
    created_at: Timestamp.describe('When you signed in.'),
    last_seen_at: Timestamp.describe('Written at most once a minute.'),
  })
  .meta({ id: 'BrowserSession', description: 'A browser in which you are signed in.' })

const SignOutQuery = z.object({
  also: z
    .enum(['access_tokens'])
    .optional()
    .describe(
      '`access_tokens`: also delete all your access tokens except the one that is sent. Operator tokens are kept.',
    ),
})

export const DeleteAccount = z
  .strictObject({
    password: mayBeAbsent(z.string().max(1_000)).meta({
      description:
        'Your password. An account without one is deleted in a browser that was signed in within the last ten minutes.',
      examples: ['staircase lemon orbit 42'],
    }),
  })
  .meta({ id: 'DeleteAccount', description: 'Proves that it is you who deletes your account.' })

export const ME_ENDPOINTS = declareEndpoints({
  getMe: {
    caller: 'access-token',
    room: 'accounts/workspaces',
    group: 'You and your tokens',
    ...GET('/api/v1/me'),
    summary: 'Read your account',
    ...CALLED_BY.members,
    answer: { status: 200, body: Me },
  },
  deleteMe: {
    caller: 'access-token',
    room: 'channels/sign-in',
    group: 'You and your tokens',
    ...DELETE('/api/v1/me'),
    summary: 'Delete your account',
    description:
      'You leave every workspace, and your sessions, access tokens, password, linked providers, grants, invitations and connected tools are deleted immediately. What you made stays with its workspace; your name and e-mail address are deleted 30 days later, until then the activity log names you. Refused with 409 while you are the only owner of a workspace.',
    scope: 'admin',
    permission: 'member',
    body: DeleteAccount,
    isBodyOptional: true,
    recordedBy: 'room',
    answer: { status: 204 },
    refusals: ['CONFLICT', 'RATE_LIMITED'],
  },
  listMySessions: {
    caller: 'access-token',
    room: 'accounts/sessions',
    group: 'You and your tokens',
    ...GET('/api/v1/me/sessions'),
    summary: 'List the browsers in which you are signed in',
    ...CALLED_BY.members,
    query: PageQuery,
    answer: { status: 200, body: pageOf(BrowserSession, 'BrowserSessionPage') },
  },
  endMySession: {
    caller: 'access-token',
    room: 'accounts/sessions',
    group: 'You and your tokens',
    ...DELETE('/api/v1/me/sessions/{id}'),
    summary: 'Sign one browser out',
    description: 'From its next request on.',
    scope: 'admin',
    permission: 'member',
    params: OneRecord,
    recordedBy: 'room',
    answer: { status: 204 },
  },
  endMySessions: {
    caller: 'access-token',
    room: 'accounts/sessions',
    group: 'You and your tokens',
    ...DELETE('/api/v1/me/sessions'),
    summary: 'Sign out everywhere',
    description:
      'Ends all your browser sessions immediately. Connected tools are not affected; access tokens only if requested.',
    scope: 'admin',
    permission: 'member',
    query: SignOutQuery,
    recordedBy: 'room',
    answer: { status: 204 },
  },
})
