import { sql } from 'kysely'
import { INDEX_TABLES, type IndexDb } from './indexing-tables.ts'

/** An embedding key, and the dimensions of its vectors. */
export interface EmbeddingSpace {
  key: string
  dimensions: number
}

const hexOf = (knowledgeBaseId: string) => knowledgeBaseId.replaceAll('-', '')

/** Runs a transaction in which no other process changes the tables of the base. */
async function withBaseLock<Result>(
  db: IndexDb,
  hex: string,
  change: (transaction: IndexDb) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(async (transaction) => {
    // Two processes that index the same base for the first time would otherwise both create them.
    await sql`select pg_advisory_xact_lock(7233491, hashtext(${hex}))`.execute(transaction)
    return await change(transaction)
  })
}

/** Creates the base's partitions if they are missing. False for a base that is deleted: it gets none. */
export async function ensurePartitions(db: IndexDb, knowledgeBaseId: string): Promise<boolean> {
  for (const table of INDEX_TABLES) {
    if (!(await ensurePartition(db, table, knowledgeBaseId))) return false
  }
  return true
}

/**
 * One table per transaction: creating or dropping a partition locks the whole table against readers of every base, and a search reads all
 * tables. A transaction holding two of these locks could deadlock with a search.
 */
async function ensurePartition(
  db: IndexDb,
  table: (typeof INDEX_TABLES)[number],
  knowledgeBaseId: string,
): Promise<boolean> {
  const hex = hexOf(knowledgeBaseId)
  return await withBaseLock(db, hex, async (transaction) => {
    // A concurrent deletion of the base either waits and then drops the partition, or came first, and then there is no base.
    const base = await transaction
      .selectFrom('knowledge_bases')
      .select('id')
      .where('id', '=', knowledgeBaseId)
      .forKeyShare()
      .executeTakeFirst()
    if (base === undefined) return false
    await sql`create table if not exists ${sql.table(`${table}_${hex}`)} partition of ${sql.table(table)}
      for values in (${sql.lit(knowledgeBaseId)})`.execute(transaction)
    return true
  })
}

/** How many vectors of an embedding key the base has, counting up to `most`. */
export async function countVectors(
  db: IndexDb,
  knowledgeBaseId: string,
  embeddingKey: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select from chunk_vectors where knowledge_base_id = ${knowledgeBaseId} and embedding_key = ${embeddingKey}
    limit ${most}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Creates the HNSW index for this embedding key if it is missing. Blocks writers of the base. */
export async function ensureVectorIndex(
  db: IndexDb,
  knowledgeBaseId: string,
  { key, dimensions }: EmbeddingSpace,
): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  await withBaseLock(db, hex, async (transaction) => {
    const keyHash = await sql<{ hash: string }>`select left(md5(${key}), 8) as hash`.execute(transaction)
    const index = `hnsw_${hex}_${keyHash.rows[0]?.hash ?? ''}`
    await sql`create index if not exists ${sql.ref(index)} on ${sql.table(`chunk_vectors_${hex}`)}
      using hnsw ((embedding::vector(${sql.lit(dimensions)})) vector_cosine_ops)
      where embedding_key = ${sql.lit(key)}`.execute(transaction)
  })
}

/** Drops the whole index of a base, table by table (see `ensurePartition`). */
export async function dropPartitions(db: IndexDb, knowledgeBaseId: string): Promise<void> {
  for (const table of INDEX_TABLES) {
    await sql`drop table if exists ${sql.table(`${table}_${hexOf(knowledgeBaseId)}`)}`.execute(db)
  }
}

/** Deleted bases whose index still exists. */
export async function basesOfOrphanedPartitions(db: IndexDb): Promise<string[]> {
  const parents = sql.join(INDEX_TABLES.map((table) => sql.lit(table)))
  const { rows } = await sql<{ id: string }>`select distinct left_over.id from (
      select right(partition.relname, 32)::uuid as id from pg_inherits
      join pg_class parent on parent.oid = pg_inherits.inhparent
      join pg_class partition on partition.oid = pg_inherits.inhrelid
      where parent.relname in (${parents}) and parent.relnamespace = partition.relnamespace
        and partition.relname ~ '_[0-9a-f]{32}$') left_over
    where not exists (select from knowledge_bases where knowledge_bases.id = left_over.id)`.execute(db)
  return rows.map((row) => row.id)
}

/** Updates the planner's statistics of the tables: the embedded engine has no autovacuum. */
export async function refreshStatistics(
  db: IndexDb,
  knowledgeBaseId: string,
  isWorthVacuum: boolean,
): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  const command = sql.raw(isWorthVacuum ? 'vacuum analyze' : 'analyze')
  for (const table of ['documents', 'sources', ...INDEX_TABLES.map((name) => `${name}_${hex}`)]) {
    await sql`${command} ${sql.table(table)}`.execute(db)
  }
}

/** Rebuilds the word indexes of a base. Only searches of this base wait for it. */
export async function rebuildWordIndexes(db: IndexDb, knowledgeBaseId: string): Promise<void> {
  const hex = hexOf(knowledgeBaseId)
  for (const table of ['chunks', 'page_words'] as const) {
    await sql`reindex table ${sql.table(`${table}_${hex}`)}`.execute(db)
  }
}
