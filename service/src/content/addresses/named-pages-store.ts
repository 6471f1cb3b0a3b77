import { sql } from 'kysely'
import type { NamedPage } from './named-page.ts'

/** Condition on `documents`, joined with `sources`: one of these addresses refers to the document. */
export function isNamedByAny(pages: readonly NamedPage[]) {
  const spellings = pages.flatMap((page) => page.spellings)
  const documentIds = pages.flatMap(({ documentId }) => documentId ?? [])
  const answerIds = pages.flatMap(({ answerId }) => answerId ?? [])
  return sql<boolean>`(documents.url = any(${spellings}::text[]) or documents.id = any(${documentIds}::uuid[])
    or (sources.type = 'custom_answers' and documents.external_id = any(${answerIds}::text[])))`
}
