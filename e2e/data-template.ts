/**
 * Runs once before the tests: a data directory on which a service has started, of which each service of a test gets a copy. Creating the
 * database takes longer than most tests, and compressing the widget's files takes a second. They also get the code that it compiled.
 * Where the setting is there already, it is taken; empty, for a run of tests that are all on a server, there is none.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODE_SETTING, emptyDataDirectory, startCitewell, TEMPLATE_SETTING } from './run-citewell.ts'

let folder: string | undefined
let codeFolder: string | undefined

export async function setup(): Promise<void> {
  if (process.env[TEMPLATE_SETTING] !== undefined) return
  folder = emptyDataDirectory()
  codeFolder = mkdtempSync(join(tmpdir(), 'citewell-code-'))
  process.env[CODE_SETTING] = join(codeFolder, 'engine-code')
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
  for (const each of [folder, codeFolder]) {
    if (each !== undefined) rmSync(each, { recursive: true, force: true })
  }
}
