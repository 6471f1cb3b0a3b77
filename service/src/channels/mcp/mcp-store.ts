import { ServerName } from '@citewell/contract/mcp-servers'
import { sql } from 'kysely'
import { QUESTION_COLUMNS } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { isNamedByAny, type NamedPage } from '../../content/addresses/addresses.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import { PORTAL, type SignInServer } from '../oauth/oauth.ts'

export type SourcesDb = Db<'sources' | 'source_groups' | 'documents'>

export type McpDb = Db<
  'mcp_servers' | 'knowledge_bases' | 'workspaces' | 'sources' | 'source_groups' | 'documents' | 'chunks'
>

/** What a reader may see of a base; part of each query. */
export interface McpScope {
  knowledgeBaseId: string
  groupIds: readonly string[] | undefined
  includeRestricted: boolean
}

/** Whether a name from a URL is a valid server name: other text is not looked up, whatever characters it contains. */
const isServerName = (name: string) => ServerName.safeParse(name).success

export async function findServerByName(db: McpDb, serverName: string) {
  if (!isServerName(serverName)) return undefined
  return await db
    .selectFrom('mcp_servers')
    .select(['id', 'knowledge_base_id', 'server_name', 'sign_in_type'])
    .where('server_name', '=', serverName)
    .executeTakeFirst()
}

export type McpServerAt = NonNullable<Awaited<ReturnType<typeof findServerByName>>>

/** A server with sign-in, and what its consent page shows; the portal is found by its reserved name. */
export async function findSignInServer(db: McpDb, serverName: string): Promise<SignInServer | undefined> {
  if (serverName === PORTAL.serverName) return PORTAL
  if (!isServerName(serverName)) return undefined
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
    // Shown before sign-in, so it must not reveal the name of an internal base.
    knowledgeBaseName: row.sign_in_type === 'public' ? row.name : row.server_name,
    signInType: row.sign_in_type,
    isArchived: row.status === 'archived',
  }
}

export async function findReadBase(db: McpDb, knowledgeBaseId: string) {
  return await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .select(QUESTION_COLUMNS)
    .select([
      'knowledge_bases.id',
      'knowledge_bases.name',
      'knowledge_bases.status',
      'knowledge_bases.type',
      'knowledge_bases.language',
      'knowledge_bases.persona',
      'knowledge_bases.tone',
      'knowledge_bases.standing_instructions',
      'knowledge_bases.settings',
    ])
    .where('knowledge_bases.id', '=', knowledgeBaseId)
    .executeTakeFirst()
}

export type ReadBase = NonNullable<Awaited<ReturnType<typeof findReadBase>>>

/** SQL for "any of these ids". */
const oneOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

/** Sources with pages that a reader may read, sorted by name, with the number of these pages, their base and their group. */
export async function listReadableSources(
  db: SourcesDb,
  scope: Omit<McpScope, 'knowledgeBaseId'> & { knowledgeBaseIds: readonly string[] },
) {
  return await db
    .selectFrom('sources')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'sources.knowledge_base_id')
        .onRef('documents.source_id', '=', 'sources.id')
        .on('documents.live_version', 'is not', null),
    )
    .leftJoin('source_groups', withinBase('source_groups.id', 'sources.source_group_id'))
    .select((row) => [
      'sources.knowledge_base_id',
      'sources.id',
      'sources.name',
      'sources.type',
      'sources.version_label',
      'source_groups.id as group_id',
      'source_groups.name as group_name',
      row.fn.countAll<string>().as('document_count'),
    ])
    .where('sources.knowledge_base_id', '=', oneOf(scope.knowledgeBaseIds))
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', '=', oneOf(scope.groupIds ?? [])),
    )
    .groupBy([
      'sources.knowledge_base_id',
      'sources.id',
      'source_groups.knowledge_base_id',
      'source_groups.id',
    ])
    .orderBy('sources.name')
    .orderBy('sources.id')
    .execute()
}

/** The most bytes that a character takes in UTF-8. */
const MOST_BYTES = 4

/**
 * The passages of the pages at these addresses, by page and in their order.
 *
 * @param most characters of each page: passages after them are not read, as a page may have twenty million
 */
export async function readPagesAt(db: McpDb, scope: McpScope, pages: readonly NamedPage[], most: number) {
  const passages = db
    .selectFrom('documents')
    .innerJoin('sources', withinBase('sources.id', 'documents.source_id'))
    .innerJoin('chunks', (join) =>
      join
        .onRef('chunks.knowledge_base_id', '=', 'documents.knowledge_base_id')
        .onRef('chunks.document_id', '=', 'documents.id')
        .onRef('chunks.version', '=', 'documents.live_version'),
    )
    .select([
      'documents.id',
      'documents.url',
      'documents.external_id',
      'documents.title',
      'chunks.heading_path',
      'chunks.text',
      'chunks.ordinal',
    ])
    .select(
      sql<string>`sum(octet_length(chunks.text)) over (partition by documents.id order by chunks.ordinal)
        - octet_length(chunks.text)`.as('bytes_before'),
    )
    .where('documents.knowledge_base_id', '=', scope.knowledgeBaseId)
    .where(isNamedByAny(pages))
    .$if(!scope.includeRestricted, (query) => query.where('documents.visibility', '=', 'public'))
    .$if(scope.groupIds !== undefined, (query) =>
      query.where('sources.source_group_id', '=', oneOf(scope.groupIds ?? [])),
    )
  return await db
    .selectFrom(passages.as('passages'))
    .select(['id', 'url', 'external_id', 'title', 'heading_path', 'text'])
    .where('bytes_before', '<=', String(MOST_BYTES * most))
    .orderBy('url')
    .orderBy('id')
    .orderBy('ordinal')
    .execute()
}
