import type { Widget } from '@citewell/contract/widgets'
import type { WidgetRow } from './widgets-store.ts'

/** The record in the management API. */
export function presentWidget(row: WidgetRow): Widget {
  return {
    id: row.id,
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    enabled: row.enabled,
    allowed_origins: row.allowed_origins,
    config: row.config,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    last_seen_origin: row.last_seen_origin,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
