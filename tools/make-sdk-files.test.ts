import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sdkRoutes, sdkTypes } from './sdk/sdk-files.ts'

const SDK = resolve(import.meta.dirname, '../sdk/src')
const written = (file: string) => readFileSync(join(SDK, file), 'utf8')

test('the routes and types of the SDK are those of the contract: if not, npm run sdk-files', () => {
  expect(written('routes.ts')).toBe(sdkRoutes())
  expect(written('management-api.ts')).toBe(sdkTypes())
})
