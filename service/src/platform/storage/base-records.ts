import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { Db, Tables } from './tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

/** Tables whose rows belong to a knowledge base and have their own id. */
export type BaseRecords = {
  [Name in keyof Tables]: Tables[Name] extends { knowledge_base_id: string; id: string } ? Name : never
}[keyof Tables]

/** Treats all of these tables as one type: the statements only use the two columns that each of them has. */
const asOne = <Name extends BaseRecords>(db: Db<Name>, table: Name) => ({
  db: db as unknown as Kysely<Pick<Tables, 'widgets'>>,
  table: table as 'widgets',
})

/** The base that a record belongs to, read before it is known whether the caller may see it. */
export async function findBaseOf<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  id: string,
): Promise<string | undefined> {
  const one = asOne(db, table)
  const row = await one.db
    .selectFrom(one.table)
    .select('knowledge_base_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.knowledge_base_id
}

export async function findRecord<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  of: { knowledgeBaseId: string; id: string },
): Promise<Selectable<Tables[Name]> | undefined> {
  const one = asOne(db, table)
  const row = await one.db
    .selectFrom(one.table)
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .executeTakeFirst()
  return row as Selectable<Tables[Name]> | undefined
}

/** A page of a base's records, oldest first. */
export async function listRecords<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<Selectable<Tables[Name]>[]> {
  const one = asOne(db, table)
  const rows = await one.db
    .selectFrom(one.table)
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
  return rows as unknown as Selectable<Tables[Name]>[]
}

export async function insertRecord<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  row: Selectable<Tables[Name]>,
): Promise<void> {
  const one = asOne(db, table)
  await one.db
    .insertInto(one.table)
    .values(row as unknown as Insertable<Tables['widgets']>)
    .execute()
}

/** Which record is changed, and when. */
export interface ChangedRecord {
  knowledgeBaseId: string
  id: string
  now: Date
}

/** Changes the given fields; missing and undefined ones are kept. */
export async function updateRecord<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  of: ChangedRecord,
  changes: object,
): Promise<Selectable<Tables[Name]> | undefined> {
  const one = asOne(db, table)
  const row = await one.db
    .updateTable(one.table)
    .set({ ...changes, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .returningAll()
    .executeTakeFirst()
  return row as Selectable<Tables[Name]> | undefined
}

export async function deleteRecord<Name extends BaseRecords>(
  db: Db<Name>,
  table: Name,
  of: { knowledgeBaseId: string; id: string },
): Promise<void> {
  const one = asOne(db, table)
  await one.db
    .deleteFrom(one.table)
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .execute()
}

/** Returns a function that counts the records of a base in a table. */
export const countRecords =
  <Name extends BaseRecords>(table: Name) =>
  async (db: Db<Name>, knowledgeBaseId: string): Promise<number> => {
    const one = asOne(db, table)
    const { count } = await one.db
      .selectFrom(one.table)
      .select((row) => row.fn.countAll<string>().as('count'))
      .where('knowledge_base_id', '=', knowledgeBaseId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

/** Some records of a base: how many there are, and the first names. */
export interface NamedRecords {
  count: number
  names: string[]
}

/** Names returned at most. */
const MOST_NAMES = 20

/**
 * Returns a function that counts and names some records of a base.
 *
 * @param which - `name`: the column with the name; `where`: columns, each with the values that count, as text
 */
export const nameRecords =
  <Name extends BaseRecords>(
    table: Name,
    which: { name: string; where: Readonly<Record<string, readonly string[]>> },
  ) =>
  async (db: Db<Name>, knowledgeBaseId: string): Promise<NamedRecords> => {
    const conditions = Object.entries(which.where).map(
      ([column, values]) => sql`${sql.ref(column)}::text = any(${[...values]}::text[])`,
    )
    const { rows } = await sql<{ name: string; count: string }>`
      select ${sql.ref(which.name)} as name, count(*) over () as count from ${sql.table(table)}
      where ${sql.join([sql`knowledge_base_id = ${knowledgeBaseId}`, ...conditions], sql` and `)}
      order by 1, id limit ${MOST_NAMES}`.execute(db)
    return { count: Number(rows[0]?.count ?? 0), names: rows.map(({ name }) => name) }
  }
