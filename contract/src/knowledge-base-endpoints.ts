import { declareEndpoints } from './endpoint.ts'
import { DeletedKnowledgeBase, DeleteKnowledgeBase, DeletionPreview } from './knowledge-base-deletion.ts'
import {
  ChangedKnowledgeBase,
  CreatedKnowledgeBase,
  KnowledgeBase,
  KnowledgeBaseChange,
  KnowledgeBaseQuery,
  NewKnowledgeBase,
} from './knowledge-bases.ts'
import { pageOf } from './paging.ts'
import { InKnowledgeBase } from './params.ts'

const about = { caller: 'access-token', room: 'accounts/knowledge-bases', group: 'Knowledge bases' } as const

export const KNOWLEDGE_BASE_ENDPOINTS = declareEndpoints({
  listKnowledgeBases: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases',
    summary: 'List the knowledge bases',
    scope: 'read',
    permission: 'member',
    query: KnowledgeBaseQuery,
    answer: { status: 200, body: pageOf(KnowledgeBase, 'KnowledgeBasePage') },
  },
  createKnowledgeBase: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases',
    summary: 'Make a knowledge base',
    description:
      'An external one is created with a public client key and a website widget, both in the response.',
    scope: 'config',
    permission: 'member',
    body: NewKnowledgeBase,
    answer: { status: 201, body: CreatedKnowledgeBase },
    refusals: ['PROJECT_LIMIT_REACHED', 'NOT_FOUND'],
  },
  getKnowledgeBase: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}',
    summary: 'Read a knowledge base',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    answer: { status: 200, body: KnowledgeBase },
  },
  updateKnowledgeBase: {
    ...about,
    method: 'PATCH',
    path: '/api/v1/knowledge-bases/{id}',
    summary: 'Change a knowledge base',
    description:
      'Only what you send is changed; objects are merged key by key. `type` and `workspace_members_can_chat` need Edit Config.\n\nMaking a base internal revokes its client keys immediately and restricts its documents. Making it external again does not publish them; if it then has no live client key or no widget, they are created as for a new base, and returned.',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: KnowledgeBaseChange,
    answer: { status: 200, body: ChangedKnowledgeBase },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteKnowledgeBase: {
    ...about,
    method: 'DELETE',
    path: '/api/v1/knowledge-bases/{id}',
    summary: 'Delete a knowledge base',
    description:
      'Permanently, with all its records; its keys, widgets and servers stop working immediately. If it is not empty, send its exact name as `confirm`.',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    body: DeleteKnowledgeBase,
    isBodyOptional: true,
    answer: { status: 200, body: DeletedKnowledgeBase },
    refusals: ['CONFIRMATION_REQUIRED'],
  },
  previewKnowledgeBaseDeletion: {
    ...about,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/deletion-preview',
    summary: 'Preview a deletion',
    scope: 'read',
    permission: 'edit-config',
    params: InKnowledgeBase,
    answer: { status: 200, body: DeletionPreview },
  },
  archiveKnowledgeBase: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/archive',
    summary: 'Archive a knowledge base',
    description: 'It answers nothing, runs no syncs, cannot be changed, and does not count towards the plan.',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    answer: { status: 200, body: KnowledgeBase },
    refusals: ['CONFLICT'],
  },
  restoreKnowledgeBase: {
    ...about,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/restore',
    summary: 'Restore an archived knowledge base',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    answer: { status: 200, body: KnowledgeBase },
    refusals: ['CONFLICT', 'PROJECT_LIMIT_REACHED'],
  },
})
