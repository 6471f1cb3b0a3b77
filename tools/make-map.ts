/**
 * `npm run map` writes docs/map.md: each sentence of the contract, the room that implements it, the tests that prove it.
 * `npm run map -- --check` fails if the file is stale. `npm run where -- WORDS` prints the rows that contain all the words.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readCitations } from '../spec/citations.ts'
import type { Requirement } from '../spec/requirement.ts'
import { REQUIREMENTS, REQUIREMENTS_BY_NOUN } from '../spec/requirements.ts'

const ROOT = resolve(import.meta.dirname, '..')
const MAP = join(ROOT, 'docs/map.md')
const citations = readCitations(ROOT)

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const link = (path: string) => `[${path.split('/').at(-1) ?? path}](../${path})`

function row([id, { says, spec, lives, deferred }]: [string, Requirement]): string {
  const tests = (citations.get(id) ?? []).map(link).join(', ')
  const proof = deferred === undefined ? tests : `*deferred: ${inCell(deferred)}*`
  return `| \`${id}\` | ${inCell(says)} | ${spec} | ${link(lives)} | ${proof} |`
}

function page(): string {
  const all = Object.values(REQUIREMENTS)
  const deferred = all.filter((requirement) => requirement.deferred !== undefined).length
  const sections = Object.entries(REQUIREMENTS_BY_NOUN).map(([noun, rows]) =>
    [
      `## ${noun}`,
      '',
      '| id | says | where | lives | proven by |',
      '|---|---|---|---|---|',
      ...Object.entries<Requirement>(rows).map(row),
    ].join('\n'),
  )
  return `${[
    '# Map of the contract',
    `Made by \`npm run map\` from \`spec/requirements/\` and the tests that cite it: ${all.length} sentences, ${deferred} of them deferred. \`npm run where -- WORDS\` searches it.`,
    ...sections,
  ].join('\n\n')}\n`
}

function find(words: readonly string[]): void {
  const found = Object.entries(REQUIREMENTS).filter(([id, { says, lives }]) => {
    const text = `${id} ${says} ${lives}`.toLowerCase()
    return words.every((word) => text.includes(word.toLowerCase()))
  })
  for (const [id, { says, spec, lives, deferred }] of found) {
    console.log(`${id}\n  ${says}\n  ${spec}  ${lives}`)
    console.log(
      deferred === undefined ? `  ${(citations.get(id) ?? []).join('\n  ')}\n` : `  deferred: ${deferred}\n`,
    )
  }
  if (found.length === 0) console.error('No sentence matches. Try fewer words.')
  process.exitCode = found.length === 0 ? 1 : 0
}

const [command, ...words] = process.argv.slice(2)
if (command === '--find') find(words)
else if (command === '--check') {
  if (readFileSync(MAP, 'utf8') !== page()) {
    console.error('docs/map.md is stale: run npm run map.')
    process.exitCode = 1
  }
} else writeFileSync(MAP, page())
