import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import { PORTAL, type SignInServer } from '../oauth/oauth.ts'

export type McpDb = Db<
  'mcp_servers' | 'mcp_feedback' | 'knowledge_bases' | 'workspaces' | 'sources' | 'documents' | 'chunks'
>

/** What a reader may see of a base: stated in each query. */
export interface McpScope {
  knowledgeBaseId: string
  groupIds: readonly string[] | undefined
  includeRestricted: boolean
}

export async function findServerByName(db: McpDb, serverName: string) {
  return await db
    .selectFrom('mcp_servers')
    .select(['knowledge_base_id', 'server_name', 'sign_in_type'])
    .where('server_name', '=', serverName)
    .executeTakeFirst()
}

/** A server that people sign in to, with what is shown of it on the page that asks for their consent; the portal is one by its name. */
export async function findSignInServer(db: McpDb, serverName: string): Promise<SignInServer | undefined> {
  if (serverName === PORTAL.serverName) return PORTAL
  const row = await db
    .selectFrom('mcp_servers')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'mcp_servers.knowledge_base_id')
    .select([
      'mcp_servers.id as server_id',
      'mcp_servers.server_name',
      'mcp_servers.sign_in_type',
      'knowledge_bases.id',
      'knowledge_bases.name',
      'knowledge_bases.status',
    ])
    .where('mcp_servers.server_name', '=', serverName)
    .executeTakeFirst()
  if (row === undefined || row.sign_in_type === 'api_key') return undefined
  return {
    id: row.server_id,
    serverName: row.server_name,
    knowledgeBaseId: row.id,
    // Strangers are shown this before they sign in: what an internal base is called is none of their business.
    knowledgeBaseName: row.sign_in_type === 'public' ? row.name : row.server_name,
    signInType: row.sign_in_type,
    isArchived: row.status === 'archived',
  }
}

export async function findReadBase(db: McpDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('knowledge_bases')
    .select([
      'id',
      'name',
      'status',
      'type',
      'language',
      'persona',
      'tone',
      'standing_instructions',
      'settings',
    ])
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
}

const inGroups = (groupIds: readonly string[]) => sql<string>`any(${[...groupIds]}::uuid[])`

/** Sources with pages that the scope may read, by name, each with their number. */
export async function listReadableSources(db: McpDb, scope: McpScope) {
  return await db
    .selectFrom('sources')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .onRef('documents.source_id', '=', 'sources.id')
        .on('documents.live_version', 'is not', null),
    )
    .select((row) => [
      'sources.id',
      'sources.name',
      'sources.type',
      'sources.version_label',
      row.fn.countAll<string>().as('document_count'),
    ])
    .where('sources.knowledge_base_id', '=', scope.knowledgeBaseId)
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', '=', inGroups(scope.groupIds ?? [])),
    )
    .groupBy(['sources.knowledge_base_id', 'sources.id'])
    .orderBy('sources.name')
    .orderBy('sources.id')
    .execute()
}

/** The passages of the pages at these addresses, page by page and in their order. */
export async function readPagesAt(db: McpDb, scope: McpScope, urls: readonly string[]) {
  return await db
    .selectFrom('documents')
    .innerJoin('sources', (join) =>
      join
        .onRef('sources.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('sources.id', '=', 'documents.source_id'),
    )
    .innerJoin('chunks', (join) =>
      join
        .onRef('chunks.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('chunks.document_id', '=', 'documents.id')
        .onRef('chunks.version', '=', 'documents.live_version'),
    )
    .select(['documents.id', 'documents.url', 'documents.title', 'chunks.heading_path', 'chunks.text'])
    .where('documents.knowledge_base_id', '=', scope.knowledgeBaseId)
    .where('documents.url', 'in', urls)
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', '=', inGroups(scope.groupIds ?? [])),
    )
    .orderBy('documents.url')
    .orderBy('documents.id')
    .orderBy('chunks.ordinal')
    .execute()
}

export interface McpFeedbackRow {
  knowledge_base_id: string
  id: string
  message: string
  url: string | null
  server_name: string | null
  client_key_id: string | null
  user_ref: string | null
  created_at: Date
}

/** False where the workspace keeps nothing. */
export async function insertMcpFeedback(db: McpDb, feedback: McpFeedbackRow): Promise<boolean> {
  const row = await db
    .insertInto('mcp_feedback')
    .columns([
      'knowledge_base_id',
      'id',
      'message',
      'url',
      'server_name',
      'client_key_id',
      'user_ref',
      'created_at',
    ])
    .expression((query) =>
      query
        .selectFrom('knowledge_bases')
        .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
        .select([
          'knowledge_bases.id',
          sql<string>`${feedback.id}::uuid`.as('feedback_id'),
          sql<string>`${feedback.message}::text`.as('message'),
          sql<string | null>`${feedback.url}::text`.as('url'),
          sql<string | null>`${feedback.server_name}::text`.as('server_name'),
          sql<string | null>`${feedback.client_key_id}::uuid`.as('client_key_id'),
          sql<string | null>`${feedback.user_ref}::text`.as('user_ref'),
          sql<Date>`${feedback.created_at.toISOString()}::timestamptz`.as('created_at'),
        ])
        .where('knowledge_bases.id', '=', feedback.knowledge_base_id)
        .where('workspaces.zero_data_retention', '=', false),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
