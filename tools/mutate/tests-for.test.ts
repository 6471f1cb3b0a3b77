import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTestsFor } from './tests-for.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test(
  'the tests of a file are those of its room, its own first, then those that cite its room, then all that import it',
  { timeout: 120_000, tags: ['long'] },
  () => {
    const testsFor = createTestsFor(ROOT)
    const { near, far, isInKept } = testsFor('service/src/content/search/named-version.ts')
    const tests = [...near, ...far]
    const places = [
      'service/src/content/search/named-version.test.ts',
      'service/src/content/search/search.test.ts',
      'service/src/answers/answering/steps/choose-evidence.test.ts',
      'service/src/app/withheld.test.ts',
    ].map((test) => tests.indexOf(test))
    expect(places.toSorted((one, other) => one - other)).toEqual(places)
    expect(places[0]).toBe(0)
    expect(new Set(tests).size).toBe(tests.length)
    expect(tests.filter((file) => file.startsWith('e2e/'))).toEqual([])
    expect(far).not.toContain('service/src/content/search/search.test.ts')
    expect(isInKept).toBe(false)
    const ofDesk = testsFor('service/src/channels/help-desks/desks/zammad/zammad-tickets.ts').near
    expect(ofDesk).toContain('service/src/channels/help-desks/zammad.test.ts')
    const inThreads = { isInKept: true, isInThreads: true }
    expect(testsFor('service/src/content/indexing/prepare-passages.ts')).toMatchObject(inThreads)
  },
)

test('the paths of tests-of.json exist', () => {
  const named: Record<string, string[]> = JSON.parse(
    readFileSync(join(import.meta.dirname, 'tests-of.json'), 'utf8'),
  )
  const paths = [...Object.keys(named), ...Object.values(named).flat()]
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
