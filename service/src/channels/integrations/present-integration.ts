import type { IntegrationRow } from './integrations-store.ts'

/** The fields that all integrations show, without credentials. */
export function presentIntegration(row: IntegrationRow) {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    enabled: row.enabled,
    config: row.config,
    has_credentials: row.sealed_credentials !== null,
    problem:
      row.problem === null || row.problem_at === null
        ? null
        : { because: row.problem, at: row.problem_at.toISOString() },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
