/**
 * Which tests can see a change of a file, nearest first: those of its room, those that cite a sentence that lives there, those of
 * tests-of.json, then all others that import it, by the number of files between.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseAst } from 'vitest/node'
import { readCitations } from '../../spec/citations.ts'
import { REQUIREMENTS } from '../../spec/requirements.ts'

/** Packages of this repository that are imported by name. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@citewell/contract/': 'contract/src/',
  '@citewell/spec/': 'spec/',
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const name = Object.keys(PACKAGES).find((prefix) => specifier.startsWith(prefix))
  return name === undefined
    ? undefined
    : `${PACKAGES[name]}${specifier.slice(name.length).replace(/\.ts$/, '')}.ts`
}

/** Import statements, `import()`, and the `new URL('./x-worker.ts', import.meta.url)` of a worker: all are strings of a syntax tree. */
function importsOf(root: string, file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'Literal' && 'value' in value && typeof value.value === 'string') {
      const target = /^(?:\.|@citewell\/)/.test(value.value) ? resolveImport(file, value.value) : undefined
      if (target !== undefined) found.push(target)
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }))
  return found
}

function readImporters(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  const files = globSync(['contract/src/**/*.ts', 'service/{src,test}/**/*.ts', 'spec/**/*.ts'], {
    cwd: root,
  })
  for (const file of files.toSorted()) {
    for (const target of importsOf(root, file))
      importers.set(target, [...(importers.get(target) ?? []), file])
  }
  return importers
}

/** All that import a file, through any number of others: the nearest first. */
function findImporters(importers: Map<string, string[]>, file: string): string[] {
  const seen = new Set([file])
  for (const reached of seen) for (const importer of importers.get(reached) ?? []) seen.add(importer)
  return [...seen]
}

/** The tests that are named after the file, after a part of its name or after its folder, before the others. */
function nearestByName(file: string, tests: readonly string[]): string[] {
  const name = basename(file, '.ts').replace(/-(?:store|routes)$/, '')
  const likeness = (test: string): number => {
    const tested = basename(test, '.test.ts')
    if (tested === name) return 0
    if (tested === basename(dirname(file))) return 1
    return tested.startsWith(name) || name.startsWith(tested) ? 2 : 3
  }
  return tests.toSorted((one, other) => likeness(one) - likeness(other))
}

/** Its folder, and those around it up to that of its room: `service/src/<floor>/<room>`. */
function foldersAround(file: string): string[] {
  const parts = dirname(file).split('/')
  const rooms = Math.max(0, parts.length - 4)
  return Array.from({ length: rooms }, (_, up) => parts.slice(0, parts.length - 1 - up).join('/'))
}

export interface TestsOfFile {
  /** Those of its folder, those that cite what lives there, those of tests-of.json, and those of the folders around it. */
  readonly near: readonly string[]
  /** All others that import it. */
  readonly far: readonly string[]
  /** Whether a module that keeps something in the process of the tests imports it. */
  readonly isInKept: boolean
  /** Whether threads and processes import it, which are kept as well. */
  readonly isInThreads: boolean
}

export function createTestsFor(root: string): (file: string) => TestsOfFile {
  const importers = readImporters(root)
  const citations = readCitations(root)
  const named: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'tests-of.json'), 'utf8'),
  )

  const cited = (file: string): string[] =>
    Object.entries(REQUIREMENTS)
      .filter(([, { lives }]) => lives === file || lives === dirname(file))
      .flatMap(([id]) => citations.get(id) ?? [])
      .filter((test) => !test.startsWith('e2e/'))

  return (file) => {
    const room = globSync(`${dirname(file)}/**/*.test.ts`, { cwd: root }).toSorted()
    const listed = Object.entries(named).flatMap(([path, tests]) => (file.startsWith(path) ? tests : []))
    const around = foldersAround(file).flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: root }))
    const near = [
      ...new Set([
        ...nearestByName(file, room),
        ...cited(file),
        ...listed,
        ...nearestByName(file, around.toSorted()),
      ]),
    ]
    const importing = findImporters(importers, file)
    return {
      near,
      far: importing.filter((importer) => importer.endsWith('.test.ts') && !near.includes(importer)),
      isInKept: importing.some((importer) => importer.startsWith('service/test/kept-')),
      isInThreads: importing.some((importer) => /-worker\.ts$/.test(importer)),
    }
  }
}
