/**
 * Runs once before the tests: a data directory on which a service has started, of which each service of a test gets a copy. Creating the
 * database takes longer than most tests, and compressing the widget's files takes a second.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { emptyDataDirectory, startCitewell, TEMPLATE_SETTING } from './run-citewell.ts'

let folder: string | undefined

export async function setup(): Promise<void> {
  folder = emptyDataDirectory()
  const citewell = await startCitewell({ CITEWELL_DATA_DIR: folder })
  const manifest = await fetch(new URL('/widget/manifest.json', citewell.address))
  if (!manifest.ok) throw new Error(`The widget is not served: ${manifest.status} ${await manifest.text()}`)
  await citewell.stop()
  // Space that is kept for a full disk; each service makes its own.
  for (const name of readdirSync(folder)) {
    if (name.includes('-reserve-')) rmSync(join(folder, name))
  }
  process.env[TEMPLATE_SETTING] = folder
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
