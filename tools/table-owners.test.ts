import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'vitest/node'
import { expect, test } from 'vitest'
import { FLOORS } from './floors.ts'
import house from './house.ts'
import {
  DECLARATIONS,
  exceptionFor,
  judgeTable,
  TABLE_EXCEPTIONS,
  TABLE_OWNERS,
  tablesTyped,
  tablesUsed,
} from './table-owners.ts'

const SERVICE = resolve(import.meta.dirname, '../service/src')

const visitNodes = (value: unknown, visit: (node: { type: string }) => void) => {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') visit(value as { type: string })
  for (const child of Object.values(value)) visitNodes(child, visit)
}

/** The messages of the rule about a file of this path, as the linter calls it. */
function reportsOn(path: string, text: string): string[] {
  const messages: string[] = []
  const visitor: Record<string, (node: { type: string }) => void> = house.rules['table-owner'].create({
    filename: join(SERVICE, path),
    report: ({ message }) => messages.push(message),
  })
  visitNodes(parseAst(text, { lang: 'ts' }), (node) => visitor[node.type]?.(node))
  return messages
}

const ANY_TABLE = new RegExp(`\\b(?:${Object.keys(TABLE_OWNERS).join('|')})\\b`)

/** Every table that a file of the service names, tests aside. */
const named = globSync('**/*.ts', { cwd: SERVICE, exclude: ['**/*.test.ts'] }).flatMap((path) => {
  const file = join(SERVICE, path)
  const text = readFileSync(file, 'utf8')
  const found: { file: string; table: string; how: 'used' | 'typed' }[] = []
  if (!ANY_TABLE.test(text)) return found
  visitNodes(parseAst(text, { lang: 'ts' }), (node) => {
    for (const table of tablesUsed(node)) found.push({ file, table, how: 'used' })
    for (const table of tablesTyped(node)) found.push({ file, table, how: 'typed' })
  })
  return found
})

test('each table is declared by one room, which owns it', () => {
  const tables = DECLARATIONS.map(({ table }) => table)
  expect(tables.length).toBeGreaterThan(60)
  expect(tables).toEqual([...new Set(tables)])
  expect(TABLE_OWNERS).toMatchObject({ users: 'accounts/people', chunks: 'content/indexing' })
})

test('the service names only tables of its own rooms and of floors below, but for the exceptions', () => {
  expect(named.length).toBeGreaterThan(500)
  const faults = named.map(({ file, table, how }) => judgeTable(file, table, how))
  expect(faults.filter((fault) => fault !== undefined)).toEqual([])
})

test('every exception is of a table on the same floor or above, and is needed', () => {
  const used = new Set(named.map(({ file, table }) => `${exceptionFor(file, table)?.room ?? ''} ${table}`))
  const floorOf = (room: string | undefined) => FLOORS.indexOf(room?.split('/', 1)[0] ?? '')
  const wrong = TABLE_EXCEPTIONS.flatMap(({ room, tables }) =>
    tables.filter((table) => !used.has(`${room} ${table}`) || floorOf(TABLE_OWNERS[table]) < floorOf(room)),
  )
  expect(wrong).toEqual([])
})

const STORE = 'content/chunking/chunking-store.ts'

test.each([
  ["db.selectFrom('threads').selectAll()", 'a table to select from'],
  ["db.insertInto('threads').values(row)", 'a table to insert into'],
  ["db.updateTable('threads as t').set(row)", 'a table with an alias'],
  ["db.deleteFrom('threads').where('id', '=', id)", 'a table to delete from'],
  ["db.selectFrom('chunk').leftJoin('threads', 'a', 'b')", 'a joined table'],
  ["db.selectFrom(['chunk', 'threads'])", 'one of several tables'],
  ['sql`select 1 from threads where ${id} = 1`.execute(db)', 'a table in SQL'],
  ['sql<Row>`select 1 from chunk, threads`', 'a second table in typed SQL'],
  ["sql`delete from ${sql.table('threads')}`", 'a table put into SQL'],
  ["findRecord(db, 'threads', of)", 'a table given to a function for records'],
  ["countRecords('threads')", 'a table that is counted'],
  ["let db: Db<'chunk' | 'threads'>", 'a table in the type of a handle'],
  ["let id: Tables['threads']['id']", 'a table in the type of a row'],
])('%s is reported on a lower floor: %s', (text) => {
  expect(reportsOn(STORE, text)).toEqual([
    'content/chunking may not name the table threads of answers/conversations: ask that room, or add an exception to tools/table-owners.ts',
  ])
})

test.each([
  ['an own table', 'answers/conversations/conversations-store.ts', "db.selectFrom('threads')"],
  ['a table of a lower floor', 'channels/mcp/mcp-store.ts', "db.selectFrom('threads')"],
  ['an exception', 'answers/traces/traces-store.ts', "db.selectFrom('threads')"],
  ['the type of a table of the same floor', 'answers/retention/retention.ts', "let db: Db<'threads'>"],
  ['a test', 'content/chunking/chunking.test.ts', "db.selectFrom('threads')"],
  ['a migration', 'platform/storage/migrations/0001.ts', 'sql`create table threads ()`'],
  ['a column and an alias of that name', STORE, 'sql`select c.threads, 1 as threads from c`'],
  ['that word in a text', STORE, "sql`select 'no threads' -- nor threads here`"],
  ['another call', STORE, "open('threads')"],
])('%s is not reported', (_, path, text) => {
  expect(reportsOn(path, text)).toEqual([])
})

test('a table of another room of the same floor is reported in a statement', () => {
  expect(judgeTable(join(SERVICE, 'answers/retention/retention-store.ts'), 'threads', 'used')).toContain(
    'answers/retention may not name the table threads of answers/conversations',
  )
})
