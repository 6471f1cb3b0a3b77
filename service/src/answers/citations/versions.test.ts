import { expect, test } from 'vitest'
import { titleOf, joinVersions } from './versions.ts'

test.for<[string, string | undefined, string]>([
  ['Config options', 'v4', 'Config options (v4)'],
  ['Config options', undefined, 'Config options'],
  ['Config options', ' ', 'Config options'],
  ['Config options of v4', 'v4', 'Config options of v4'],
  ['Config options | V4', 'v4', 'Config options | V4'],
  ['Config options of v4.1', 'v4', 'Config options of v4.1 (v4)'],
  ['The dev4 server', 'v4', 'The dev4 server (v4)'],
  ['Config options', 'v7 (LTS)', 'Config options (v7 (LTS))'],
  ['Config options of V7 (lts)', 'v7 (LTS)', 'Config options of V7 (lts)'],
  [
    'Config',
    String.raw`a-b_c \ [x] $1 {2}/3.*?^|+ @é"#&%'`,
    String.raw`Config (a-b_c \ [x] $1 {2}/3.*?^|+ @é"#&%')`,
  ],
])('the title %s in version %s is cited as %s', ([title, versionLabel, expected]) => {
  expect(titleOf({ title, versionLabel })).toBe(expected)
})

test('the versions of an answer are named once each, with Markdown escaped', () => {
  const said = (...labels: (string | undefined)[]) =>
    joinVersions(labels.map((versionLabel) => ({ versionLabel })))
  expect(said()).toBeUndefined()
  expect(said(undefined)).toBeUndefined()
  expect(said('v4', undefined, 'v4')).toBe('v4')
  expect(said('v4', 'v5', 'v6')).toBe('v4, v5 and v6')
  expect(said('[v4](https://evil.test)')).not.toMatch(/[[\]()]/)
})
