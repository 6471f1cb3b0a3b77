import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTableTypes, tableTypesOf, type TypedColumn } from '../../../test/read-table-types.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'

/** How the driver gives each PostgreSQL type. Vectors come as text. */
const KINDS: Record<string, string> = {
  ARRAY: 'array',
  'USER-DEFINED': 'string',
  bigint: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  'double precision': 'number',
  integer: 'number',
  jsonb: 'json',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}

const TABLES_OF_KYSELY = ['kysely_migration', 'kysely_migration_lock']

interface StoredColumn {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: 'YES' | 'NO'
  has_default: boolean
}

let storage: TestStorage
let stored: StoredColumn[]

beforeAll(async () => {
  storage = await openTestStorage()
  const { rows } = await sql<StoredColumn>`
    select columns.table_name, column_name, data_type, is_nullable,
           column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as has_default
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(storage.db)
  stored = rows.filter(({ table_name }) => !TABLES_OF_KYSELY.includes(table_name))
})

afterAll(async () => {
  await storage.close()
})

const typed = readTableTypes()

/** One line for each column, so that a difference names it. */
const typedLines = (tell: (column: TypedColumn) => string) =>
  Object.entries(typed)
    .flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, column]) => `${table}.${name}: ${tell(column)}`),
    )
    .toSorted()

const storedLines = (tell: (column: StoredColumn) => string) =>
  stored.map((column) => `${column.table_name}.${column.column_name}: ${tell(column)}`).toSorted()

test('the table types have the tables and columns that the migrations make, each of its kind and nullable or not', () => {
  expect(stored.length).toBeGreaterThan(300)
  expect(typedLines(({ kind, isNullable }) => `${kind}${isNullable ? ' or null' : ''}`)).toEqual(
    storedLines(
      ({ data_type, is_nullable }) =>
        `${KINDS[data_type] ?? data_type}${is_nullable === 'YES' ? ' or null' : ''}`,
    ),
  )
})

test('an insert may leave out only what the database fills in or allows to be null', () => {
  const optional = new Set(
    typedLines(({ isOptional }) => (isOptional ? 'optional' : '')).filter((line) =>
      line.endsWith('optional'),
    ),
  )
  const filled = storedLines(({ has_default, is_nullable }) =>
    has_default || is_nullable === 'YES' ? 'optional' : '',
  )
  expect([...optional].filter((line) => !filled.includes(line))).toEqual([])
})

test('a table type is read with its kinds, unions, aliases and column types', () => {
  const text = `
    type Status = 'open' | 'closed'
    interface ThingsTable {
      id: string
      status: Status | null
      at: ColumnType<Date, Date | undefined, never>
      size: Nullable<number>
      data: Json<Record<string, string | null>>
      tags: ('a' | null)[]
      role: OtherTable['role']
    }
    declare module './tables.ts' { interface Tables { things: ThingsTable } }`
  const column = (kind: string, isNullable = false, isOptional = false) => ({ kind, isNullable, isOptional })
  expect(tableTypesOf(text)).toEqual({
    things: {
      id: column('string'),
      status: column('string', true),
      at: column('Date', false, true),
      size: column('number', true, true),
      data: column('json'),
      tags: column('array'),
      role: column('string'),
    },
  })
})

test('a type that cannot be compared is an error, not a missing table', () => {
  expect(() => tableTypesOf('interface Tables { things: ThingsTable }')).toThrow('things of another file')
  expect(() =>
    tableTypesOf('interface ATable { a: string | number }; interface Tables { a: ATable }'),
  ).toThrow('several kinds')
})
