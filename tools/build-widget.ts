/**
 * Builds the widget into `widget/dist`. `npm run widget` calls it; the service does the same when it starts and the build is missing or
 * older than its sources, with the hash of the sources as argument.
 */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildWidget } from '../widget/build.ts'

const DIST = resolve(import.meta.dirname, '../widget/dist')
const [builtFrom] = process.argv.slice(2)

// Built beside it and put in its place in one step: two services may start at the same time, and readers see one build or the other.
const fresh = `${DIST}-${process.pid}`
const old = `${fresh}-old`
try {
  await buildWidget({ outDir: fresh })
  if (builtFrom !== undefined) await writeFile(join(fresh, 'built-from'), builtFrom)
  await rename(DIST, old).catch(() => undefined)
  await rename(fresh, DIST)
} finally {
  await rm(fresh, { recursive: true, force: true })
  await rm(old, { recursive: true, force: true })
}
