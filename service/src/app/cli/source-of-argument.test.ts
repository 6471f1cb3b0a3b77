import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandFailure } from './command.ts'
import { sourceOfArgument } from './source-of-argument.ts'

test.each([
  ['https://docs.example.com/guide/', 'website', 'docs.example.com'],
  ['docs.example.com', 'website', 'docs.example.com'],
  ['http://127.0.0.1:8800/', 'website', '127.0.0.1:8800'],
  ['https://git.example.com/team/handbook.git', 'repository', 'handbook'],
  ['git@example.com:team/handbook.git', 'repository', 'handbook'],
  ['https://api.example.com/openapi.json', 'openapi', 'api.example.com'],
])('%s is a %s', (argument, type, name) => {
  expect(sourceOfArgument(argument)).toMatchObject({ type, name })
})

test('a folder is read as a repository, by its whole path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbook-'))
  expect(sourceOfArgument(folder)).toMatchObject({ type: 'repository', config: { url: folder } })
})

test.each(['nonsense', 'ftp://example.com/', ''])('"%s" is refused with what to give instead', (argument) => {
  expect(() => sourceOfArgument(argument)).toThrow(CommandFailure)
})
