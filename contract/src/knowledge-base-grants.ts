import { z } from 'zod'
import { declareEndpoints, GRANTED_PERMISSIONS, DELETE, GET, PUT } from './endpoint.ts'
import { idOf, recordFields } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase } from './params.ts'

const Permissions = z
  .array(z.enum(GRANTED_PERMISSIONS))
  .min(1)
  .max(GRANTED_PERMISSIONS.length)
  .refine((permissions) => new Set(permissions).size === permissions.length, {
    error: 'must not contain duplicates',
  })
  .meta({
    description:
      '`config`: everything about the knowledge base except archiving, restoring, deleting, its type and its members switch. `chat`: ask it while the members switch is off.',
    examples: [['config', 'chat']],
  })

export const KnowledgeBaseGrant = z
  .object({
    ...recordFields,
    id: idOf('person'),
    knowledge_base_id: idOf('knowledge base'),
    user_id: idOf('person'),
    permissions: Permissions,
  })
  .meta({
    id: 'KnowledgeBaseGrant',
    description: 'Permissions of a member on one knowledge base, beyond those of every member.',
  })

export type KnowledgeBaseGrant = z.infer<typeof KnowledgeBaseGrant>

export const GrantedPermissions = z
  .strictObject({ permissions: Permissions })
  .meta({ id: 'GrantedPermissions', examples: [{ permissions: ['config', 'chat'] }] })

const OneGrant = z.object({ id: idOf('knowledge base'), userId: idOf('person') })

const about = { caller: 'access-token', room: 'accounts/grants', group: 'Knowledge bases' } as const

export const KNOWLEDGE_BASE_GRANT_ENDPOINTS = declareEndpoints({
  listKnowledgeBaseGrants: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/grants'),
    summary: 'List the grants of members',
    scope: 'read',
    permission: 'config',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(KnowledgeBaseGrant, 'KnowledgeBaseGrantPage') },
  },
  listWorkspaceGrants: {
    ...about,
    ...GET('/api/v1/workspaces/{id}/grants'),
    summary: 'List the grants on all knowledge bases',
    description: 'For owners and admins. By knowledge base, then by person.',
    scope: 'read',
    permission: 'administer',
    params: z.object({ id: idOf('workspace') }),
    query: PageQuery,
    answer: { status: 200, body: pageOf(KnowledgeBaseGrant, 'WorkspaceGrantPage') },
  },
  putKnowledgeBaseGrant: {
    ...about,
    ...PUT('/api/v1/knowledge-bases/{id}/grants/{userId}'),
    summary: 'Grant permissions to a member',
    description:
      'Replaces the earlier grant of the member. Owners and admins need no grant: they have all permissions.',
    scope: 'admin',
    permission: 'edit-config',
    params: OneGrant,
    body: GrantedPermissions,
    recordedBy: 'room',
    answer: { status: 200, body: KnowledgeBaseGrant },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  deleteKnowledgeBaseGrant: {
    ...about,
    ...DELETE('/api/v1/knowledge-bases/{id}/grants/{userId}'),
    summary: 'Revoke a grant',
    description: 'Takes effect from the next request.',
    scope: 'admin',
    permission: 'edit-config',
    params: OneGrant,
    recordedBy: 'room',
    answer: { status: 204 },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})
