import { RESERVED_SERVER_NAMES } from '@citewell/contract/closed-lists'
import { ServerName } from '@citewell/contract/mcp-servers'
import { expect, test } from 'vitest'
import { faultOfServerName, suggestedServerName } from './server-name-rule.ts'

const NAMES = [
  ['', 'a', 'ab', 'abc', 'a-b', 'a--b', '-ab', 'ab-', '---', 'Abc', 'a_b', 'a b', 'a.b', 'bücher', '123'],
  ['abc\n', 'x'.repeat(63), 'x'.repeat(64)],
  RESERVED_SERVER_NAMES,
].flat()

test('the form refuses exactly the names that the service refuses', () => {
  for (const name of NAMES) {
    expect([name, faultOfServerName(name) === undefined]).toEqual([name, ServerName.safeParse(name).success])
  }
})

test('a name is suggested that the service accepts, or none', () => {
  expect(suggestedServerName('Äcme & Co. API!')).toBe('acme-co-api')
  expect(suggestedServerName('Docs')).toBe('')
  expect(suggestedServerName('문서')).toBe('')
})
