import type { AffectedByType, TypeChangePreview } from '@citewell/contract/type-change'
import type { DeletionPreview as DeletionPreviewRecord } from '@citewell/contract/knowledge-base-deletion'
import type { KnowledgeBase } from '@citewell/contract/knowledge-bases'
import { permissionsOn, type Entitled } from '../permissions/permissions.ts'
import type { CountedKnowledgeBase, DeletionPreview, StoredBase } from './knowledge-bases.ts'

/** The record that the management API shows to this caller. */
export function presentKnowledgeBase(base: CountedKnowledgeBase, caller: Entitled): KnowledgeBase {
  return {
    id: base.id,
    workspace_id: base.workspace_id,
    name: base.name,
    description: base.description,
    type: base.type,
    status: base.status,
    language: base.language,
    respect_robots_txt: base.respect_robots_txt,
    settings: base.settings,
    starter_questions: base.starter_questions,
    scheduled_crawling: base.scheduled_crawling,
    persona: base.persona,
    tone: base.tone,
    standing_instructions: base.standing_instructions,
    pii_masking: base.pii_masking,
    workspace_members_can_chat: base.workspace_members_can_chat,
    document_count: base.document_count,
    your_permissions: permissionsOn(caller, base),
    created_at: base.created_at.toISOString(),
    updated_at: base.updated_at.toISOString(),
  }
}

export function presentDeletionPreview({
  base,
  counts,
  requiresConfirmation,
}: DeletionPreview): DeletionPreviewRecord {
  return { knowledge_base_id: base.id, name: base.name, requires_confirmation: requiresConfirmation, counts }
}

export const presentTypeChange = ({
  base,
  affected: { bots, documents, ...stops },
}: {
  base: StoredBase
  affected: AffectedByType
}): TypeChangePreview => ({
  knowledge_base_id: base.id,
  name: base.name,
  to: 'internal',
  stops,
  goes_on: { bots },
  becomes_restricted: { documents },
})
