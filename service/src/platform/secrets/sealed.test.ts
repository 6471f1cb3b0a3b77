import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MASTER_KEY_FILE, readMasterKeys } from './master-key.ts'
import { createPseudonyms } from './pseudonym.ts'
import { createSealer } from './sealed.ts'

const KEY = 'k'.repeat(32)
const OTHER_KEY = 'o'.repeat(32)
const PLACE = { table: 'workspaces', row: 'first', column: 'llm_sealed_api_key' }

describe('a sealed text', () => {
  test('opens where it was sealed, and does not contain its plaintext', () => {
    const sealer = createSealer([KEY])
    const sealed = sealer.seal('sk-secret-ü', PLACE)
    expect(sealed).toMatch(/^cws1\.[0-9a-f]{8}\.[\w-]+$/)
    expect(sealed).not.toContain('secret')
    expect(sealer.open(sealed, PLACE)).toBe('sk-secret-ü')
    expect(sealer.seal('sk-secret-ü', PLACE)).not.toBe(sealed)
  })

  test('does not open in another row, column or table', () => {
    const sealer = createSealer([KEY])
    const sealed = sealer.seal('sk-secret', PLACE)
    for (const moved of [{ row: 'second' }, { column: 'other' }, { table: 'other' }]) {
      expect(() => sealer.open(sealed, { ...PLACE, ...moved })).toThrow('moved from another row')
    }
  })

  test('does not open if any of its characters was changed', () => {
    const sealer = createSealer([KEY])
    const sealed = sealer.seal('sk-secret', PLACE)
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(() => sealer.open(changed, PLACE)).toThrow(Error)
    }
    for (const broken of ['', 'cws1', 'cws1.0.', sealed.slice(0, 20)]) {
      expect(() => sealer.open(broken, PLACE)).toThrow(Error)
    }
  })

  test('opens with an older key that is listed after the new one, and with no other', () => {
    const sealed = createSealer([OTHER_KEY]).seal('sk-secret', PLACE)
    expect(createSealer([KEY, OTHER_KEY]).open(sealed, PLACE)).toBe('sk-secret')
    expect(() => createSealer([KEY]).open(sealed, PLACE)).toThrow('CITEWELL_SECRET_KEY')
    expect(() => createSealer(['short'])).toThrow('32 characters')
  })
})

describe('the master key', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'citewell-key-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  test('is generated once in the data directory, readable by its owner only', () => {
    const [made] = readMasterKeys(undefined, directory)
    expect(made.length).toBeGreaterThanOrEqual(32)
    expect(readMasterKeys(undefined, directory)).toEqual([made])
    expect(statSync(join(directory, MASTER_KEY_FILE)).mode & 0o777).toBe(0o600)
  })

  test('is taken from the setting if there is one, and then no file is created', () => {
    expect(readMasterKeys(`${KEY}, ${OTHER_KEY}`, directory)).toEqual([KEY, OTHER_KEY])
    expect(() => readFileSync(join(directory, MASTER_KEY_FILE))).toThrow('ENOENT')
  })

  test('is not replaced if its file is truncated', () => {
    writeFileSync(join(directory, MASTER_KEY_FILE), 'short')
    expect(() => readMasterKeys(undefined, directory)).toThrow('truncated')
    expect(readFileSync(join(directory, MASTER_KEY_FILE), 'utf8')).toBe('short')
  })
})

test('a pseudonym is deterministic, and survives a key rotation', () => {
  const pseudonymOf = createPseudonyms([OTHER_KEY])
  expect(pseudonymOf('Ada@example.com')).toBe(pseudonymOf('ada@example.com '))
  expect(pseudonymOf('ada@example.com')).toMatch(/^masked-[0-9a-f]{32}$/)
  expect(pseudonymOf('bob@example.com')).not.toBe(pseudonymOf('ada@example.com'))
  expect(createPseudonyms([KEY, OTHER_KEY])('ada@example.com')).toBe(pseudonymOf('ada@example.com'))
})
