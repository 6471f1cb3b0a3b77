/**
 * `node tools/failed-tests.ts REPORT FILES` reads vitest's JSON report, prints each failed test with its error, and writes the paths of the
 * failed test files to FILES, one on a line.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

interface Report {
  testResults: readonly {
    name: string
    status: string
    message: string
    assertionResults: readonly {
      fullName: string
      status: string
      failureMessages: readonly string[] | null
    }[]
  }[]
}

/** A failure is printed up to this many lines. */
const MAX_LINES = 30

const [reportPath, filesPath] = process.argv.slice(2)
if (reportPath === undefined || filesPath === undefined) {
  throw new Error('Give the path of the report and the path for the list of files.')
}
const { testResults }: Report = JSON.parse(readFileSync(reportPath, 'utf8'))
const root = resolve(import.meta.dirname, '..')
const failed = testResults.filter(({ status }) => status === 'failed')
for (const { name, message, assertionResults } of failed) {
  console.log(`FAILED ${relative(root, name)}`)
  if (message !== '') console.log(indented(message))
  for (const { fullName, status, failureMessages } of assertionResults) {
    if (status !== 'failed') continue
    console.log(`  ${fullName}`)
    for (const failure of failureMessages ?? []) console.log(indented(failure))
  }
}
writeFileSync(filesPath, failed.map(({ name }) => `${relative(root, name)}\n`).join(''))

function indented(text: string): string {
  return text
    .split('\n')
    .slice(0, MAX_LINES)
    .map((line) => `    ${line}`)
    .join('\n')
}
