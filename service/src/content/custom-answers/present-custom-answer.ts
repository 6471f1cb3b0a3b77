import type { CustomAnswer } from '@citewell/contract/custom-answers'
import type { ShownCustomAnswer } from './custom-answers.ts'

/** The record that the management API shows. */
export function presentCustomAnswer(row: ShownCustomAnswer): CustomAnswer {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    question: row.question,
    answer: row.isWithheld ? null : row.answer,
    withheld: row.isWithheld,
    url: row.url,
    visibility: row.visibility,
    source_group_id: row.source_group_id,
    source_id: row.source_id,
    document_id: row.document_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
