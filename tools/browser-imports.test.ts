import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { judgeBrowserImport, loadsZod } from './browser-imports.ts'

const ROOT = resolve(import.meta.dirname, '..')
const inSdk = join(ROOT, 'sdk/src/client.ts')

test('the closed lists of the contract load no zod, directly or through another file', () => {
  expect(['closed-lists', 'limits', 'refusals', 'rate-limited', 'endpoint'].filter(loadsZod)).toEqual([])
  expect(['roles', 'endpoints', 'source-endpoints'].filter(loadsZod)).toEqual([
    'roles',
    'endpoints',
    'source-endpoints',
  ])
})

test('a browser package takes types from the whole contract, and values from its light files', () => {
  expect(judgeBrowserImport(inSdk, '@citewell/contract/roles', false)).toContain('import type')
  expect(judgeBrowserImport(inSdk, 'zod', false)).toContain('zod')
  expect(judgeBrowserImport(inSdk, 'node:fs', false)).toContain('node:fs')
  expect(judgeBrowserImport(inSdk, '@citewell/contract/roles', true)).toBeUndefined()
  expect(judgeBrowserImport(inSdk, '@citewell/contract/closed-lists', false)).toBeUndefined()
  expect(judgeBrowserImport(join(ROOT, 'sdk/test/client.test.ts'), 'node:fs', false)).toBeUndefined()
})
