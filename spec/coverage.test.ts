import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readCitations } from './citations.ts'
import { OWN_WIRING, roomsMadeIn, wiresItself } from './proofs.ts'
import { REQUIREMENTS, REQUIREMENTS_BY_NOUN } from './requirements.ts'

const ROOT = resolve(import.meta.dirname, '..')
const citations = readCitations(ROOT)
const entries = Object.entries(REQUIREMENTS)

test('every sentence of the contract is cited by a test, or deferred with a reason', () => {
  const uncited = entries
    .filter(([id, { deferred }]) => deferred === undefined && !citations.has(id))
    .map(([id]) => id)

  expect(entries).not.toHaveLength(0)
  expect(uncited).toEqual([])
})

test('no test cites an unknown or deferred sentence', () => {
  const cited = [...citations].filter(
    ([id]) => REQUIREMENTS[id] === undefined || REQUIREMENTS[id].deferred !== undefined,
  )

  expect(cited).toEqual([])
})

test('each sentence has a unique id and an existing folder', () => {
  const ids = Object.values(REQUIREMENTS_BY_NOUN).flatMap((ofNoun) => Object.keys(ofNoun))
  const homeless = entries.filter(
    ([, { lives, deferred }]) => deferred === undefined && !existsSync(join(ROOT, lives)),
  )

  expect(new Set(ids).size).toBe(ids.length)
  expect(homeless).toEqual([])
})

/** Code files of a folder, without tests. None for a file. */
const codeFilesIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  }).filter((file) => !/\.test\.tsx?$/.test(file))

test('where a sentence lives is a file, or a folder of at most ten', () => {
  const places = new Set(entries.map(([, { lives }]) => lives))
  const tooBroad = new Set([...places].filter((lives) => codeFilesIn(lives).length > 10))
  const imprecise = entries.filter(([, { lives }]) => tooBroad.has(lives)).map(([id]) => id)

  expect(imprecise).toEqual([])
})

test('tests that cite a sentence use the composed service, or functions without storage', () => {
  const citing = new Set([...citations.values()].flat())
  const wiring = [...citing].filter((file) => wiresItself(ROOT, file))

  expect(wiring.toSorted()).toEqual(Object.keys(OWN_WIRING).toSorted())
})

test('a room that a test file makes by hand is found, unless only tests that cite nothing make it', () => {
  const root = mkdtempSync(join(tmpdir(), 'citewell-proofs-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  // Written as it is, it would be a citation of this file.
  const cites = 'verifies'
  const room = 'service/src/accounts/sessions'
  const made = (text: string) => {
    write(`${room}/sessions.test.ts`, `import { createHash, createSessions } from './sessions.ts'\n${text}`)
    return roomsMadeIn(root, `${room}/sessions.test.ts`)
  }
  write(`${room}/sessions-store.ts`, '')
  write(`${room}/hash.ts`, 'export function createHash() {}')
  write(
    `${room}/sessions.ts`,
    "import { find } from './sessions-store.ts'\nexport { createHash } from './hash.ts'\nexport function createSessions() {}",
  )

  expect(made(`${cites}('a', 'b', () => {\n  createSessions()\n})`)).toEqual(['createSessions'])
  expect(made("const open = () => createSessions()\ntest('a', () => {\n  open()\n})")).toEqual([
    'createSessions',
  ])
  expect(made(`${cites}('a', 'b', () => {\n  createHash()\n})`)).toEqual([])
  expect(
    made(
      `test('a', () => createSessions())\ntest.each([\n  1,\n])('b', () => {\n  createSessions()\n})\n${cites}('a', 'b', () => {})`,
    ),
  ).toEqual([])
  rmSync(root, { recursive: true })
})
