import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'vitest/node'
import { expect, test } from 'vitest'
import { EXEMPTIONS, judge, judgeImport } from './floors.ts'
import house from './house.ts'

const SERVICE = resolve(import.meta.dirname, '../service/src')

/** What is wrong with an import between two files of the service, by their paths in it. */
const complaint = (from: string, to: string) => judge(join(SERVICE, from), join(SERVICE, to))

/** Everything a file imports or exports from elsewhere: statements, `import()`, and types written as `import('…').Type`. */
function importsOf(file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const source = 'source' in value ? value.source : undefined
    if (
      typeof source === 'object' &&
      source !== null &&
      'value' in source &&
      typeof source.value === 'string'
    )
      found.push(source.value)
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }))
  return found
}

const files = globSync('**/*.ts', { cwd: SERVICE })
const imports = files.flatMap((file) => {
  const from = join(SERVICE, file)
  return importsOf(from).map((specifier) => ({ file, from, specifier }))
})

test('the service keeps to its floors and doors', () => {
  expect(files.length).toBeGreaterThan(900)
  expect(imports.length).toBeGreaterThan(4000)
  const faults = imports.map(({ file, from, specifier }) => {
    const fault = judgeImport(from, specifier)
    return fault === undefined ? undefined : `${file}: ${fault}`
  })
  expect(faults.filter((fault) => fault !== undefined)).toEqual([])
})

/** The beginning of a statement: a call of the query builder, or a template of SQL. */
const STATEMENT = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^`]*>)?`/

test('from accounts upwards, only stores have SQL', () => {
  const rooms = files.filter((file) => !/^(?:kernel|platform)\/|-store\.ts$|\.test\.ts$/.test(file))
  expect(rooms.filter((file) => STATEMENT.test(readFileSync(join(SERVICE, file), 'utf8')))).toEqual([])
})

test('every exemption is needed by an import of the service', () => {
  const used = new Set<string>()
  for (const { from, specifier } of imports) {
    if (!specifier.startsWith('.')) continue
    const paths = [from, resolve(from, '..', specifier)].map((path) => path.slice(SERVICE.length + 1))
    const [here = '', there = ''] = paths
    for (const { from: who, to: what, because } of EXEMPTIONS) {
      if (who.test(here) && what.test(there)) used.add(because)
    }
  }
  expect([...used].toSorted()).toEqual(EXEMPTIONS.map(({ because }) => because).toSorted())
})

test.each([
  ['kernel/ids.ts', 'platform/http/sse.ts', 'kernel may not import platform: imports only go down'],
  [
    'platform/http/sse.ts',
    'accounts/plans/plans.ts',
    'platform may not import accounts: imports only go down',
  ],
  [
    'accounts/plans/plans.ts',
    'content/syncs/syncs.ts',
    'accounts may not import content: imports only go down',
  ],
  [
    'content/syncs/syncs.ts',
    'answers/traces/traces.ts',
    'content may not import answers: imports only go down',
  ],
  [
    'answers/traces/traces.ts',
    'channels/bots/bots.ts',
    'answers may not import channels: imports only go down',
  ],
  ['channels/bots/bots.ts', 'app/settings.ts', 'channels may not import app: imports only go down'],
  ['answers/traces/traces.test.ts', 'app/compose.ts', 'answers may not import app: imports only go down'],
])('%s may not import %s of a higher floor', (from, to, fault) => {
  expect(complaint(from, to)).toBe(fault)
})

test.each([
  ['channels/bots/bots.ts', 'content/syncs/syncs-store.ts', 'enter content/syncs by its door syncs.ts'],
  ['content/search/search.ts', 'content/syncs/run-sync.ts', 'enter content/syncs by its door syncs.ts'],
  ['content/search/search.test.ts', 'content/syncs/run-sync.ts', 'enter content/syncs by its door syncs.ts'],
  ['channels/bots/bots.ts', 'accounts/plans/plans-routes.ts', 'enter accounts/plans by its door plans.ts'],
  ['channels/bots/bots.ts', 'channels/mcp/tools/all-tools.ts', 'enter channels/mcp by its door mcp.ts'],
  ['app/compose-mcp.ts', 'channels/mcp/mcp-store.ts', 'enter channels/mcp by its door mcp.ts'],
  ['app/settings.ts', 'channels/mcp/mcp-routes.ts', 'enter channels/mcp by its door mcp.ts'],
  ['app/main.ts', 'app/cli/ask.ts', 'enter app/cli by its door cli.ts'],
])('%s may not import %s past the door', (from, to, fault) => {
  expect(complaint(from, to)).toBe(fault)
})

test.each([
  ['channels/bots/bots.ts', 'content/syncs/syncs.ts'],
  ['content/syncs/syncs.ts', 'content/search/search.ts'],
  ['content/syncs/syncs.ts', 'content/syncs/syncs-store.ts'],
  ['channels/mcp/tools/search.ts', 'channels/mcp/mcp-store.ts'],
  ['accounts/plans/plans.ts', 'platform/http/sse.ts'],
  ['platform/http/sse.ts', 'kernel/ids.ts'],
  ['app/compose-routes.ts', 'accounts/plans/plans-routes.ts'],
  ['app/compose-routes.ts', 'accounts/access-tokens/access-token-gate.ts'],
])('%s may import %s', (from, to) => {
  expect(complaint(from, to)).toBeUndefined()
})

test('only tests import from outside of the service', () => {
  const outside = '../test/fake-site.ts'
  expect(complaint('content/search/search.ts', outside)).toBe(
    'content/search/search.ts may not import from outside of service/src',
  )
  expect(complaint('content/search/search.test.ts', outside)).toBeUndefined()
})

test('the linter reports an import of any kind at its source, and leaves packages alone', () => {
  const reported: unknown[] = []
  const visitor = house.rules.floors.create({
    filename: join(SERVICE, 'kernel/ids.ts'),
    report: (report: unknown) => reported.push(report),
  })
  const source = { value: '../app/compose.ts' }
  for (const visit of Object.values(visitor)) {
    visit({ source })
    visit({ source: { value: 'zod' } })
    visit({ source: null })
  }
  const message = 'kernel may not import app: imports only go down'
  expect(Object.keys(visitor).toSorted()).toEqual([
    'ExportAllDeclaration',
    'ExportNamedDeclaration',
    'ImportDeclaration',
    'ImportExpression',
    'TSImportType',
  ])
  expect(reported).toEqual(Array.from({ length: 5 }, () => ({ node: source, message })))
})
