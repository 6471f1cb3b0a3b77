/** What tables a database has, read from its catalogue: for work on all of them, whatever rooms own them. */
import { sql } from 'kysely'
import type { WholeDb } from '../tables.ts'

export interface Column {
  name: string
  /** As PostgreSQL writes it: `timestamp with time zone`, `uuid[]`. */
  type: string
  /** Its numbers come from a sequence. */
  isIdentity: boolean
}

export interface Table {
  name: string
  /** In order of their names. */
  columns: Column[]
}

/** Part of a partitioned table, of one knowledge base. */
export interface Partition {
  name: string
  parent: string
  /** `FOR VALUES IN ('…')` */
  bound: string
}

/** Tables of the schema itself: each database writes its own. */
const OF_MIGRATIONS = sql.lit('kysely_%')

/** All tables with their columns, without partitions, each behind those that it refers to. */
export async function readTables(db: WholeDb): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select class.relname as name,
      jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
        'isIdentity', attidentity <> '') order by attname) as columns
    from pg_class class join pg_attribute on attrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p')
      and not class.relispartition and class.relname not like ${OF_MIGRATIONS}
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by class.relname order by class.relname`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select distinct referring.relname as from, referred.relname as to from pg_constraint
    join pg_class referring on referring.oid = conrelid join pg_class referred on referred.oid = confrelid
    where contype = 'f' and referring.relnamespace = current_schema()::regnamespace`.execute(db)
  return inOrder(rows, references)
}

function inOrder(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
  const ordered: Table[] = []
  const left = new Set(tables)
  const waitsFor = ({ name }: Table) =>
    references.some(
      ({ from, to }) => from === name && to !== name && [...left].some((one) => one.name === to),
    )
  while (left.size > 0) {
    const free = [...left].filter((table) => !waitsFor(table))
    if (free.length === 0)
      throw new Error(`Tables refer to each other: ${[...left].map(({ name }) => name).join(', ')}.`)
    for (const table of free) left.delete(table)
    ordered.push(...free)
  }
  return ordered
}

export async function readPartitions(db: WholeDb): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select partition.relname as name, parent.relname as parent,
      pg_get_expr(partition.relpartbound, partition.oid) as bound
    from pg_inherits join pg_class partition on partition.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where parent.relkind = 'p' and parent.relnamespace = current_schema()::regnamespace
    order by partition.relname`.execute(db)
  return rows
}

/** Indexes that a partition has of its own, by name, each with the statement that creates it. */
export async function readOwnIndexes(db: WholeDb): Promise<{ name: string; statement: string }[]> {
  const { rows } = await sql<{ name: string; statement: string }>`
    select class.relname as name, pg_get_indexdef(class.oid) as statement
    from pg_index join pg_class class on class.oid = indexrelid join pg_class "table" on "table".oid = indrelid
    where "table".relispartition and "table".relnamespace = current_schema()::regnamespace
      and not class.relispartition order by class.relname`.execute(db)
  return rows
}
