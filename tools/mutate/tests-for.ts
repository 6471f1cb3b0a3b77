/**
 * Which tests may see a change of a file, nearest first: those of its folder, those that cite a sentence that lives there, those of
 * tests-of.json and those of the folders around it, then those beside what uses the file, and all others that import it.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readCitations } from '../../spec/citations.ts'
import { REQUIREMENTS } from '../../spec/requirements.ts'
import { findImporters, readImporters } from './importers.ts'

/** How little a test is named after a file: 3 if not at all. */
export function unlikeness(file: string, test: string): number {
  const name = basename(file, '.ts').replace(/-(?:store|routes)$/, '')
  const tested = basename(test, '.test.ts')
  if (tested === name) return 0
  if (tested === basename(dirname(file))) return 1
  return tested.startsWith(name) || name.startsWith(tested) ? 2 : 3
}

/** The tests that are named after the file, after a part of its name or after its folder, before the others. */
const nearestByName = (file: string, tests: readonly string[]): string[] =>
  tests.toSorted((one, other) => unlikeness(file, one) - unlikeness(file, other))

/** Its folder, and those around it up to that of its room: `service/src/<floor>/<room>`. */
function foldersAround(file: string): string[] {
  const parts = dirname(file).split('/')
  const rooms = Math.max(0, parts.length - 4)
  return Array.from({ length: rooms }, (_, up) => parts.slice(0, parts.length - 1 - up).join('/'))
}

export interface TestsOfFile {
  /** Those of its folder, those that cite what lives there, those of tests-of.json, and those of the folders around it. */
  readonly near: readonly string[]
  /** All others that import it, and those beside a file that does, by the number of imports between. */
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

  const folders = new Map<string, string[]>()
  const testsIn = (folder: string): string[] => {
    const tests = folders.get(folder) ?? globSync(`${folder}/*.test.ts`, { cwd: root }).toSorted()
    folders.set(folder, tests)
    return tests
  }

  return (file) => {
    const room = globSync(`${dirname(file)}/**/*.test.ts`, { cwd: root }).toSorted()
    const listed = Object.entries(named).flatMap(([path, tests]) => (file.startsWith(path) ? tests : []))
    const around = foldersAround(file).flatMap(testsIn)
    const near = [
      ...new Set([...nearestByName(file, room), ...cited(file), ...listed, ...nearestByName(file, around)]),
    ]
    const importing = findImporters(importers, file)
    // Nearly every test imports nearly every file, through the composition: those of the rooms that use the file come first.
    const users = importing.filter((importer) => /^service\/src\/(?!app\/)/.test(importer))
    const beside = (isNamed: boolean) =>
      users.flatMap((user) => testsIn(dirname(user)).filter((test) => !isNamed || unlikeness(user, test) < 3))
    const tests = importing.filter((importer) => importer.endsWith('.test.ts'))
    const far = [...new Set([...beside(true), ...beside(false), ...tests])]
    return {
      near,
      far: far.filter((test) => !near.includes(test)),
      isInKept: importing.some((importer) => importer.startsWith('service/test/kept-')),
      isInThreads: importing.some((importer) => importer.endsWith('-worker.ts')),
    }
  }
}
