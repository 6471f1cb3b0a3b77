import type { Insertable } from 'kysely'
import { newId } from '../src/kernel/ids.ts'
import type { Tables, WholeDb } from '../src/platform/storage/tables.ts'

const times = () => ({ created_at: new Date(), updated_at: new Date() })

/** A new knowledge base in its own workspace; fields of both can be given. */
export async function makeBase(
  db: WholeDb,
  given: {
    base?: Partial<Insertable<Tables['knowledge_bases']>>
    workspace?: Partial<Insertable<Tables['workspaces']>>
  } = {},
): Promise<{ id: string; workspaceId: string }> {
  const workspaceId = newId()
  const id = newId()
  await db
    .insertInto('workspaces')
    .values({
      id: workspaceId,
      name: 'Acme',
      plan: 'enterprise',
      zero_data_retention: false,
      ...times(),
      ...given.workspace,
    })
    .execute()
  await db
    .insertInto('knowledge_bases')
    .values({
      id,
      workspace_id: workspaceId,
      name: 'Acme docs',
      description: null,
      type: 'external',
      status: 'active',
      language: null,
      respect_robots_txt: true,
      settings: '{"mcp_documents_enabled":false}',
      starter_questions: '{"mode":"generated","questions":[]}',
      scheduled_crawling: null,
      persona: null,
      tone: null,
      standing_instructions: null,
      pii_masking: '{"mask":[],"custom_patterns":[],"allow_list":[]}',
      workspace_members_can_chat: true,
      ...times(),
      ...given.base,
    })
    .execute()
  return { id, workspaceId }
}

/** A source for pushed documents; returns its id. */
export async function makeSource(
  db: WholeDb,
  knowledgeBaseId: string,
  given: Partial<Insertable<Tables['sources']>> = {},
): Promise<string> {
  const id = newId()
  await db
    .insertInto('sources')
    .values({
      knowledge_base_id: knowledgeBaseId,
      id,
      name: 'Docs',
      type: 'push',
      config: '{}',
      version_label: null,
      source_group_id: null,
      visibility: 'public',
      refresh: 'none',
      next_refresh_at: null,
      ...times(),
      ...given,
    })
    .execute()
  return id
}

/** The row of a file that was uploaded to a source, and not read; returns its id. */
export async function makeUploadedFile(
  db: WholeDb,
  of: { knowledgeBaseId: string; sourceId: string; name: string },
): Promise<string> {
  const id = newId()
  await db
    .insertInto('source_files')
    .values({
      knowledge_base_id: of.knowledgeBaseId,
      id,
      source_id: of.sourceId,
      name: of.name,
      media_type: 'text/markdown',
      byte_length: 0,
      sha256: id,
      ...times(),
    })
    .execute()
  return id
}

/** The row of a live public document, without chunks; returns its id. */
export async function makeDocument(
  db: WholeDb,
  knowledgeBaseId: string,
  sourceId: string,
  given: Partial<Insertable<Tables['documents']>> = {},
): Promise<string> {
  const id = newId()
  await db
    .insertInto('documents')
    .values({
      knowledge_base_id: knowledgeBaseId,
      id,
      source_id: sourceId,
      external_id: id,
      url: `https://docs.example.com/${id}`,
      title: 'Keys',
      language: 'en',
      visibility: 'public',
      live_version: 1,
      content_hash: null,
      indexed_with: null,
      source_modified_at: null,
      indexed_at: new Date(),
      ...times(),
      ...given,
    })
    .execute()
  return id
}

/** A group of sources; returns its id. */
export async function makeGroup(db: WholeDb, knowledgeBaseId: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('source_groups')
    .values({ knowledge_base_id: knowledgeBaseId, id, name: 'Guide', description: null, ...times() })
    .execute()
  return id
}
