import { z } from 'zod'
import { AccessToken } from './access-tokens.ts'
import { declareEndpoints, CALLED_BY, DELETE, GET, PATCH, POST } from './endpoint.ts'
import { idOf, lineText, recordFields, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { Role } from './roles.ts'
import { OfWorkspace } from './workspaces.ts'

const Email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email({ error: 'must be an e-mail address' }))
  .meta({ examples: ['ada@example.com'] })

const PersonName = lineText(1, LIMITS.name).meta({ examples: ['Ada'] })

export const WorkspaceMember = z
  .object({
    ...recordFields,
    id: idOf('person'),
    workspace_id: idOf('workspace'),
    user_id: idOf('person'),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    name: z.string().meta({ examples: ['Ada'] }),
    role: Role,
    status: z.enum(['active', 'invited']).meta({
      description: '`invited`: has not accepted the invitation yet, and has no permissions so far.',
      examples: ['active'],
    }),
  })
  .meta({ id: 'WorkspaceMember', description: 'A member of a workspace, or a person invited to it.' })

export type WorkspaceMember = z.infer<typeof WorkspaceMember>

export const InvitedMember = WorkspaceMember.extend({
  invitation: z
    .object({
      url: z.string().meta({
        description: 'Give it to the person: it works once. It is shown only once.',
        examples: ['https://answers.example.com/invitation?code=cw_inv_…'],
      }),
      expires_at: Timestamp,
    })
    .describe('The link with which the person becomes a member.'),
}).meta({ id: 'InvitedMember', description: 'An invited person, with the link to give to them.' })

export type InvitedMember = z.infer<typeof InvitedMember>

export const NewMember = z
  .strictObject({ email: Email, name: PersonName.optional(), role: Role.default('member') })
  .meta({ id: 'NewMember', examples: [{ email: 'ada@example.com', role: 'member' }] })

export type NewMember = z.infer<typeof NewMember>

export const MemberChange = z.strictObject({ role: Role }).meta({ id: 'MemberChange' })

const OneMember = z.object({ id: idOf('workspace'), userId: idOf('person') })

const OneMemberToken = OneMember.extend({ accessId: idOf('access token') })

const about = { caller: 'access-token', room: 'accounts/members', group: 'Workspaces' } as const

export const MEMBER_ENDPOINTS = declareEndpoints({
  listMembers: {
    ...about,
    ...GET('/api/v1/workspaces/{id}/members'),
    summary: 'List the members',
    ...CALLED_BY.members,
    params: OfWorkspace,
    query: PageQuery,
    answer: { status: 200, body: pageOf(WorkspaceMember, 'WorkspaceMemberPage') },
  },
  inviteMember: {
    ...about,
    ...POST('/api/v1/workspaces/{id}/members'),
    summary: 'Invite a person',
    description:
      'The response contains a link for the person, which works once and for seven days. Inviting again makes a new link and invalidates the previous one. Admins cannot invite owners.',
    ...CALLED_BY.admins,
    params: OfWorkspace,
    body: NewMember,
    recordedBy: 'room',
    answer: { status: 201, body: InvitedMember },
    refusals: ['CONFLICT'],
  },
  updateMember: {
    ...about,
    ...PATCH('/api/v1/workspaces/{id}/members/{userId}'),
    summary: 'Change the role of a member',
    description: 'A workspace always has at least one owner. Admins cannot make or change owners.',
    ...CALLED_BY.admins,
    params: OneMember,
    body: MemberChange,
    recordedBy: 'room',
    answer: { status: 200, body: WorkspaceMember },
    refusals: ['CONFLICT'],
  },
  removeMember: {
    ...about,
    ...DELETE('/api/v1/workspaces/{id}/members/{userId}'),
    summary: 'Remove a member or revoke an invitation',
    description:
      'Their access tokens lose access to the workspace from the next request on. A person who is in no other workspace is signed out, and loses tokens, password, linked providers and connected tools; operator tokens go on with the account of the first owner.',
    ...CALLED_BY.admins,
    params: OneMember,
    recordedBy: 'room',
    answer: { status: 204 },
    refusals: ['CONFLICT'],
  },
  listMemberAccessTokens: {
    ...about,
    ...GET('/api/v1/workspaces/{id}/members/{userId}/access-tokens'),
    summary: "List a member's access tokens",
    description:
      'Tokens with access to this workspace, without the secrets. Not available for a person who is only invited; admins do not see tokens of owners.',
    ...CALLED_BY.admins,
    params: OneMember,
    query: PageQuery,
    answer: { status: 200, body: pageOf(AccessToken, 'MemberAccessTokenPage') },
  },
  revokeMemberAccessToken: {
    ...about,
    ...DELETE('/api/v1/workspaces/{id}/members/{userId}/access-tokens/{accessId}'),
    summary: "Revoke a member's access token",
    description:
      'It loses access to this workspace from the next request on, and so do all tokens created with it. In other workspaces of its owner it continues to work; if there are none, it is deleted. Operator tokens cannot be revoked here.',
    ...CALLED_BY.admins,
    params: OneMemberToken,
    recordedBy: 'room',
    answer: { status: 204 },
  },
})
