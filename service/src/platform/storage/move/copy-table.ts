import { sql } from 'kysely'
import type { WholeDb } from '../tables.ts'
import type { Column, Table } from './read-schema.ts'

/** Text of the rows that are held at a time; a row that is longer is held alone. */
const BATCH_BYTES = 4_000_000
const BATCH_ROWS = 1_000

/** How both databases write values as text, exactly: they are compared by it. */
const TEXT_SETTINGS = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'postgres'`,
  `set local bytea_output = 'hex'`,
  'set local extra_float_digits = 1',
]

export async function writeValuesExactly(db: WholeDb): Promise<void> {
  for (const setting of TEXT_SETTINGS) await sql.raw(setting).execute(db)
}

/** What a table holds: its rows, the longest of them, and a sum over all that differs as soon as one value does. */
export interface Content {
  rows: number
  /** Bytes of text. */
  longest: number
  sum: string
}

const listed = (columns: readonly Column[]) => sql.join(columns.map(({ name }) => sql.ref(name)))

export async function measureTable(db: WholeDb, { name, columns }: Table): Promise<Content> {
  const { rows } = await sql<Content>`
    select count(*)::integer as rows, coalesce(max(octet_length(line)), 0) as longest,
      coalesce(sum(hashtextextended(line, 0)), 0)::text as sum
    from (select row(${listed(columns)})::text as line from ${sql.table(name)}) lines`.execute(db)
  const [content] = rows
  if (content === undefined) throw new Error(`${name} cannot be read.`)
  return content
}

/** Copies all rows, in batches, each value as text. Both handles are of a transaction. */
export async function copyTable(
  from: WholeDb,
  to: WholeDb,
  { name, columns }: Table,
  { longest }: Pick<Content, 'longest'>,
  onCopied: (rows: number) => void,
): Promise<void> {
  const most = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_BYTES / Math.max(1, longest))))
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`))
  await sql`declare moving no scroll cursor for select ${texts} from ${sql.table(name)}`.execute(from)
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`fetch ${sql.lit(most)} from moving`.execute(
      from,
    )
    if (rows.length === 0) break
    await insertRows(to, { name, columns }, rows)
    onCopied(rows.length)
  }
  await sql`close moving`.execute(from)
  // Of an empty table nothing is set.
  for (const { name: column } of columns.filter(({ isIdentity }) => isIdentity))
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)})) from ${sql.table(name)}`.execute(
      to,
    )
}

async function insertRows(
  to: WholeDb,
  { name, columns }: Table,
  rows: readonly Record<string, string | null>[],
): Promise<void> {
  const arrays = columns.map((column) => sql`${rows.map((row) => row[column.name] ?? null)}::text[]`)
  // The type is PostgreSQL's own, from its catalogue.
  const values = columns.map(({ name: column, type }) => sql`given.${sql.ref(column)}::${sql.raw(type)}`)
  await sql`insert into ${sql.table(name)} (${listed(columns)}) overriding system value
    select ${sql.join(values)} from unnest(${sql.join(arrays)}) as given (${listed(columns)})`.execute(to)
}
