import { declareEndpoints, CALLED_BY, DELETE, GET, PATCH, POST } from './endpoint.ts'
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
import { TypeChangePreview, TypeChangeQuery } from './type-change.ts'

const about = { caller: 'access-token', room: 'accounts/knowledge-bases', group: 'Knowledge bases' } as const

export const KNOWLEDGE_BASE_ENDPOINTS = declareEndpoints({
  listKnowledgeBases: {
    ...about,
    ...GET('/api/v1/knowledge-bases'),
    summary: 'List the knowledge bases',
    ...CALLED_BY.members,
    query: KnowledgeBaseQuery,
    answer: { status: 200, body: pageOf(KnowledgeBase, 'KnowledgeBasePage') },
  },
  createKnowledgeBase: {
    ...about,
    ...POST('/api/v1/knowledge-bases'),
    summary: 'Make a knowledge base',
    description:
      'An external one is created with a public client key and a website widget, both in the response.',
    scope: 'config',
    permission: 'member',
    body: NewKnowledgeBase,
    recordedBy: 'room',
    answer: { status: 201, body: CreatedKnowledgeBase },
    refusals: ['PROJECT_LIMIT_REACHED', 'WORKSPACE_SUSPENDED', 'NOT_FOUND'],
  },
  getKnowledgeBase: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}'),
    summary: 'Read a knowledge base',
    ...CALLED_BY.members,
    params: InKnowledgeBase,
    answer: { status: 200, body: KnowledgeBase },
  },
  updateKnowledgeBase: {
    ...about,
    ...PATCH('/api/v1/knowledge-bases/{id}'),
    summary: 'Change a knowledge base',
    description:
      'Only what you send is changed; objects are merged key by key. `type` and `workspace_members_can_chat` need Edit Config.\n\nMaking a base internal revokes its client keys immediately and restricts its documents. Making it external again does not publish them; if it then has no live client key or no widget, they are created as for a new base, and returned.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    body: KnowledgeBaseChange,
    recordedBy: 'room',
    answer: { status: 200, body: ChangedKnowledgeBase },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteKnowledgeBase: {
    ...about,
    ...DELETE('/api/v1/knowledge-bases/{id}'),
    summary: 'Delete a knowledge base',
    description:
      'Permanently, with all its records; its keys, widgets and servers stop working immediately. If it is not empty, send its exact name as `confirm`.',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    body: DeleteKnowledgeBase,
    isBodyOptional: true,
    recordedBy: 'room',
    answer: { status: 200, body: DeletedKnowledgeBase },
    refusals: ['CONFIRMATION_REQUIRED'],
  },
  previewKnowledgeBaseDeletion: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/deletion-preview'),
    summary: 'Preview a deletion',
    scope: 'read',
    permission: 'edit-config',
    params: InKnowledgeBase,
    answer: { status: 200, body: DeletionPreview },
  },
  previewTypeChange: {
    ...about,
    ...GET('/api/v1/knowledge-bases/{id}/type-change-preview'),
    summary: 'Preview a change to internal',
    description:
      'What stops when the knowledge base becomes internal, which bots go on, and which documents become restricted. Only what works now is counted; of an internal knowledge base nothing but its bots.',
    scope: 'read',
    permission: 'edit-config',
    params: InKnowledgeBase,
    query: TypeChangeQuery,
    answer: { status: 200, body: TypeChangePreview },
  },
  archiveKnowledgeBase: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/archive'),
    summary: 'Archive a knowledge base',
    description: 'It answers nothing, runs no syncs, cannot be changed, and does not count towards the plan.',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    recordedBy: 'room',
    answer: { status: 200, body: KnowledgeBase },
    refusals: ['CONFLICT'],
  },
  restoreKnowledgeBase: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/restore'),
    summary: 'Restore an archived knowledge base',
    scope: 'config',
    permission: 'edit-config',
    params: InKnowledgeBase,
    recordedBy: 'room',
    answer: { status: 200, body: KnowledgeBase },
    refusals: ['CONFLICT', 'PROJECT_LIMIT_REACHED', 'WORKSPACE_SUSPENDED'],
  },
})
