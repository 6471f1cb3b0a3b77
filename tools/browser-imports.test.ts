import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { judgeBrowserImport, LIGHT_CONTRACT_FILES } from './browser-imports.ts'

const ROOT = resolve(import.meta.dirname, '..')
const inSdk = join(ROOT, 'sdk/src/client.ts')

test('files of the contract that pages may load, load only each other', () => {
  for (const file of LIGHT_CONTRACT_FILES) {
    const text = readFileSync(join(ROOT, `contract/src/${file}.ts`), 'utf8')
    const loaded = [...text.matchAll(/^import (?!type)[^;]*?from '(?<from>[^']+)'/gm)]
    const allowed = new Set(LIGHT_CONTRACT_FILES.map((light) => `./${light}.ts`))
    const heavy = loaded.map(({ groups }) => groups?.['from'] ?? '').filter((from) => !allowed.has(from))
    expect({ file, heavy }).toEqual({ file, heavy: [] })
  }
})

test('a browser package takes types from the whole contract, and values from its light files', () => {
  expect(judgeBrowserImport(inSdk, '@citewell/contract/roles', false)).toContain('import type')
  expect(judgeBrowserImport(inSdk, 'zod', false)).toContain('zod')
  expect(judgeBrowserImport(inSdk, 'node:fs', false)).toContain('node:fs')
  expect(judgeBrowserImport(inSdk, '@citewell/contract/roles', true)).toBeUndefined()
  expect(judgeBrowserImport(inSdk, '@citewell/contract/closed-lists', false)).toBeUndefined()
  expect(judgeBrowserImport(join(ROOT, 'sdk/test/client.test.ts'), 'node:fs', false)).toBeUndefined()
})
