import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDashboard } from '../dashboard/build.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'citewell-dashboard-'))
  await buildDashboard({ outDir: folder })
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1_000

/** A script with everything that it imports at once. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name] of read(file).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    withImports(`dashboard/${name}`, seen)
  return seen
}

test('the first screen loads at most 200 kB of scripts and 15 of styles, and every other at most 60 more', () => {
  const page = read('index.html')
  const filesOf = (ending: string) =>
    [...page.matchAll(/(?:src|href)="\/(dashboard\/[^"]+)"/g)].flatMap(([, file = '']) =>
      file.endsWith(ending) ? [file] : [],
    )
  const first = new Set(filesOf('.js').flatMap((file) => [...withImports(file)]))
  expect(first.size).toBeGreaterThan(0)
  expect(kilobytes(first)).toBeLessThan(200)
  expect(kilobytes(filesOf('.css'))).toBeLessThan(15)

  const later = readdirSync(join(folder, 'dashboard')).filter(
    (file) => file.endsWith('-page.js') || /-page-[\w-]+\.js$/.test(file),
  )
  expect(later.length).toBeGreaterThan(30)
  const sizes = later.map((file) => ({
    file,
    size: kilobytes([...withImports(`dashboard/${file}`)].filter((one) => !first.has(one))),
  }))
  expect(sizes.filter(({ size }) => size >= 60)).toEqual([])
  const most = sizes.toSorted((one, other) => other.size - one.size)[0]
  console.info(
    `first ${kilobytes(first).toFixed(1)} kB, styles ${kilobytes(filesOf('.css')).toFixed(1)}, most later ${most?.file} ${most?.size.toFixed(1)}`,
  )
})
