/** Moves everything that one database holds into an empty one with the same schema: all of it or nothing. */
import { sql } from 'kysely'
import type { WholeDb } from '../tables.ts'
import { copyTable, measureTable, writeValuesExactly } from './copy-table.ts'
import { readOwnIndexes, readPartitions, readTables, type Table } from './read-schema.ts'

export interface MoveProgress {
  /** What is done now: the name of a table, or of an index. */
  doing: string
  rows: number
  ofRows: number
}

export interface Moved {
  tables: number
  rows: number
}

export interface MoveOptions {
  onProgress: (progress: MoveProgress) => void
  signal: AbortSignal
}

/** The database that is moved to has rows already. */
class NotEmpty extends Error {
  constructor(table: string) {
    super(
      `The database of DATABASE_URL is not empty: its table ${table} has rows. Give an empty one, so that nothing in it is mixed up or overwritten.`,
    )
    this.name = 'NotEmpty'
  }
}

/**
 * Copies all rows, with the tables and indexes that single knowledge bases have, in one transaction of the database that is moved to. What
 * came out is compared with what went in. The database that is moved from is only read, and nobody else may write it meanwhile.
 *
 * @throws if that has any rows
 */
export async function moveStorage(from: WholeDb, to: WholeDb, options: MoveOptions): Promise<Moved> {
  const moved = await from
    .transaction()
    .execute((reading) => to.transaction().execute((writing) => moveWithin(reading, writing, options)))
  await sql`analyze`.execute(to)
  return moved
}

async function moveWithin(from: WholeDb, to: WholeDb, { onProgress, signal }: MoveOptions): Promise<Moved> {
  for (const db of [from, to]) await writeValuesExactly(db)
  // An index of many vectors takes minutes.
  await sql`set local statement_timeout = 0`.execute(to)
  const tables = await readTables(from)
  await requireEmpty(to, tables)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(to)
  for (const { name, parent, bound } of await readPartitions(from))
    await sql`create table ${sql.table(name)} partition of ${sql.table(parent)} ${sql.raw(bound)}`.execute(to)

  const contents = new Map<Table, Awaited<ReturnType<typeof measureTable>>>()
  for (const table of tables) {
    signal.throwIfAborted()
    contents.set(table, await measureTable(from, table))
  }
  const ofRows = contents.values().reduce((sum, { rows }) => sum + rows, 0)
  let rows = 0
  for (const [table, content] of contents) {
    await copyTable(from, to, table, content, (copied) => {
      signal.throwIfAborted()
      rows += copied
      onProgress({ doing: table.name, rows, ofRows })
    })
    const arrived = await measureTable(to, table)
    if (arrived.rows !== content.rows || arrived.sum !== content.sum)
      throw new Error(`The rows of ${table.name} did not arrive as they are. Nothing was moved.`)
  }
  await createIndexes(from, to, (doing) => {
    signal.throwIfAborted()
    onProgress({ doing, rows, ofRows })
  })
  for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(to)
  return { tables: tables.length, rows }
}

/** Nobody else may write until the end: a service that starts on this database waits. */
async function requireEmpty(to: WholeDb, tables: readonly Table[]): Promise<void> {
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(to)
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(to)
    if (rows.length > 0) throw new NotEmpty(name)
  }
}

async function createIndexes(from: WholeDb, to: WholeDb, onBegin: (name: string) => void): Promise<void> {
  const there = new Set((await readOwnIndexes(to)).map(({ name }) => name))
  for (const { name, statement } of await readOwnIndexes(from)) {
    if (there.has(name)) continue
    onBegin(name)
    await sql.raw(statement).execute(to)
  }
}
