import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

/** Only to look up which base and workspace a record belongs to, whatever its table. */
export type ChangedRecordsDb = Db<'knowledge_bases'>

/**
 * The table of each noun in a path, and the column with the name of its records. A noun that is missing here fails the test of this
 * room, because changes to its records would not be recorded.
 */
const TABLE_OF_NOUN = {
  sources: { table: 'sources', name: 'name' },
  syncs: { table: 'syncs', name: undefined },
  documents: { table: 'documents', name: 'title' },
  'source-groups': { table: 'source_groups', name: 'name' },
  'client-keys': { table: 'client_keys', name: 'name' },
  widgets: { table: 'widgets', name: 'name' },
  'mcp-servers': { table: 'mcp_servers', name: 'server_name' },
  'custom-answers': { table: 'custom_answers', name: 'question' },
  conversations: { table: 'threads', name: undefined },
  reports: { table: 'mcp_feedback', name: undefined },
  messages: { table: 'messages', name: undefined },
  'webhook-triggers': { table: 'webhook_triggers', name: 'name' },
  'webhook-deliveries': { table: 'webhook_deliveries', name: undefined },
  'form-deflectors': { table: 'form_deflectors', name: 'name' },
  bots: { table: 'integrations', name: 'name' },
  'helpdesk-integrations': { table: 'integrations', name: 'name' },
  'agent-apps': { table: 'integrations', name: 'name' },
  simulations: { table: 'simulations', name: 'name' },
  approvals: { table: 'approvals', name: 'title' },
} as const satisfies Record<string, { table: string; name: string | undefined }>

/** The workspace and base of a record, and its name. */
export interface RecordLocation {
  workspaceId: string
  /** Undefined for a record that belongs to the whole workspace. */
  knowledgeBaseId: string | undefined
  name: string | undefined
}

/** Undefined for a record that does not exist. */
export async function findRecordLocation(
  db: ChangedRecordsDb,
  noun: string,
  id: string,
): Promise<RecordLocation | undefined> {
  if (noun === 'workspaces') return { workspaceId: id, knowledgeBaseId: undefined, name: undefined }
  const named = Object.entries(TABLE_OF_NOUN).find(([known]) => known === noun)?.[1]
  if (noun !== 'knowledge-bases' && named === undefined) return undefined
  const { rows } =
    named === undefined
      ? await sql<Found>`select b.workspace_id, b.id as knowledge_base_id, b.name
          from knowledge_bases b where b.id = ${id}`.execute(db)
      : await sql<Found>`select b.workspace_id, b.id as knowledge_base_id,
            ${named.name === undefined ? sql`null` : sql.ref(`r.${named.name}`)} as name
          from ${sql.table(named.table)} r join knowledge_bases b on b.id = r.knowledge_base_id
          where r.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  return {
    workspaceId: found.workspace_id,
    knowledgeBaseId: found.knowledge_base_id,
    name: found.name ?? undefined,
  }
}

interface Found {
  workspace_id: string
  knowledge_base_id: string
  name: string | null
}
