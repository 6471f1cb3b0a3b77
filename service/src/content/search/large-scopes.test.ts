import { expect, test } from 'vitest'
import { createLargeScopes } from './large-scopes.ts'

const scope = { knowledgeBaseId: 'a', groupIds: undefined, includeRestricted: false }

test('a large scope is remembered for a minute, and no other scope with it', () => {
  let now = 0
  const scopes = createLargeScopes(() => now)
  expect(scopes.has(scope)).toBe(false)
  scopes.remember(scope)

  expect(scopes.has({ ...scope })).toBe(true)
  for (const other of [
    { knowledgeBaseId: 'b' },
    { groupIds: ['g'] },
    { sourceIds: ['s'] },
    { includeRestricted: true },
    { heldOf: 's' },
  ])
    expect(scopes.has({ ...scope, ...other })).toBe(false)
  now = 59_999
  expect(scopes.has(scope)).toBe(true)
  now = 60_000
  expect(scopes.has(scope)).toBe(false)
})
