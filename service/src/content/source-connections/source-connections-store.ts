import type { Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { SourceConnectionsTable } from './source-connections-tables.ts'

export type SourceConnectionsDb = Db<'source_connections'>
export type SourceConnectionRow = Selectable<SourceConnectionsTable>

interface Place {
  knowledgeBaseId: string
  id: string
}

/** A connecting that begins. */
export interface BegunState {
  stateHash: string
  sealedVerifier: string
  sessionId: string
  until: Date
}

const NO_STATE = { state_hash: null, sealed_verifier: null, state_session_id: null, state_until: null }

export async function insertConnection(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
  { platform, now }: { platform: string; now: Date },
): Promise<void> {
  await db
    .insertInto('source_connections')
    .values({
      knowledge_base_id: knowledgeBaseId,
      id,
      platform,
      status: 'pending',
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export async function findConnection(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
): Promise<SourceConnectionRow | undefined> {
  return await db
    .selectFrom('source_connections')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Begins it again, whatever was begun before. */
export async function setState(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
  { stateHash, sealedVerifier, sessionId, until }: BegunState,
  now: Date,
): Promise<SourceConnectionRow | undefined> {
  return await db
    .updateTable('source_connections')
    .set({
      state_hash: stateHash,
      sealed_verifier: sealedVerifier,
      state_session_id: sessionId,
      state_until: until,
      updated_at: now,
    })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Those that nobody has allowed. */
export async function deleteForgotten(
  db: SourceConnectionsDb,
  knowledgeBaseId: string,
  before: Date,
): Promise<void> {
  await db
    .deleteFrom('source_connections')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('status', '=', 'pending')
    // Not by its state: one that was finished in vain has none any more.
    .where('updated_at', '<', before)
    .execute()
}

/**
 * Takes what was begun, once: of two browsers that come back with one state, one gets it. One that comes back with the state of another
 * session gets nothing, and takes nothing.
 */
export async function takeState(
  db: SourceConnectionsDb,
  of: { stateHash: string; sessionId: string; platform: string; now: Date },
): Promise<{ connection: SourceConnectionRow; sealedVerifier: string } | undefined> {
  return await db.transaction().execute(async (transaction: SourceConnectionsDb) => {
    const begun = await transaction
      .selectFrom('source_connections')
      .selectAll()
      // By the hash of a random text: the base is not known yet.
      .where('state_hash', '=', of.stateHash)
      .where('state_session_id', '=', of.sessionId)
      .where('platform', '=', of.platform)
      .where('state_until', '>', of.now)
      .forUpdate()
      .executeTakeFirst()
    if (begun?.sealed_verifier === null || begun === undefined) return undefined
    await transaction
      .updateTable('source_connections')
      .set(NO_STATE)
      .where('knowledge_base_id', '=', begun.knowledge_base_id)
      .where('id', '=', begun.id)
      .execute()
    return { connection: { ...begun, ...NO_STATE }, sealedVerifier: begun.sealed_verifier }
  })
}

/** Stores the tokens that a person allowed. False: the connection is gone. */
export async function storeTokens(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
  { sealedTokens, account, now }: { sealedTokens: string; account: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('source_connections')
    .set({
      sealed_tokens: sealedTokens,
      account,
      status: 'connected',
      renewing_until: null,
      updated_at: now,
    })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the turn to renew tokens, if they are still these and nobody else has it. */
export async function takeRenewal(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
  { sealedTokens, until, now }: { sealedTokens: string; until: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('source_connections')
    .set({ renewing_until: until })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('sealed_tokens', '=', sealedTokens)
    .where((where) => where.or([where('renewing_until', 'is', null), where('renewing_until', '<', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the turn: with new tokens, with a refusal for good (`broken`), or with neither. Tokens of a connecting meanwhile stay. */
export async function endRenewal(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
  {
    sealedTokens,
    next,
    now,
  }: { sealedTokens: string; next: { sealedTokens: string } | 'broken' | 'failed'; now: Date },
): Promise<void> {
  await db
    .updateTable('source_connections')
    .set({
      renewing_until: null,
      ...(next === 'broken' && { status: 'broken', updated_at: now }),
      ...(typeof next === 'object' && { sealed_tokens: next.sealedTokens }),
    })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('sealed_tokens', '=', sealedTokens)
    .execute()
}

/** Deletes it, and returns the tokens that it had, to take them back. */
export async function deleteConnection(
  db: SourceConnectionsDb,
  { knowledgeBaseId, id }: Place,
): Promise<SourceConnectionRow | undefined> {
  return await db
    .deleteFrom('source_connections')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
