/**
 * Runs once before the tests: creates one database with the schema, from which every test file starts. Embedded by default; with
 * `DATABASE_URL`, a database on that server.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'
import { createJobs } from '../src/platform/jobs/jobs.ts'
import { openEmbeddedStorage, openPostgresStorage } from '../src/platform/storage/storage.ts'
import { openEngineCode, writeEngineCode } from './engine-code.ts'
import { databaseUrlOf, onServer } from './test-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    storageTemplate:
      | { kind: 'embedded'; file: string; code: string }
      | { kind: 'postgres'; serverUrl: string; database: string }
  }
}

let forget: () => Promise<void> = () => Promise.resolve()

export async function setup(project: TestProject): Promise<void> {
  const serverUrl = process.env['DATABASE_URL']
  if (serverUrl === undefined || serverUrl === '') {
    const folder = await mkdtemp(join(tmpdir(), 'citewell-template-'))
    const compiled = openEngineCode()
    const storage = await openEmbeddedStorage({ directory: undefined, isDurable: false })
    // The tables of the job queue, which most tests use.
    const jobs = createJobs({ storage, onError: (error) => console.error(error) })
    await jobs.start([], false)
    await jobs.stop()
    const dumped = await storage.dump?.()
    await storage.close()
    if (dumped === undefined) throw new Error('The embedded storage gave no dump.')
    // Uncompressed: each test file inflates it otherwise.
    const file = join(folder, 'template.tar')
    await writeFile(file, gunzipSync(dumped))
    const code = join(folder, 'engine-code')
    writeEngineCode(compiled, code)
    project.provide('storageTemplate', { kind: 'embedded', file, code })
    forget = () => rm(folder, { recursive: true })
    return
  }
  const database = `citewell_template_${process.pid}`
  await onServer(serverUrl, `drop database if exists ${database} with (force)`)
  await onServer(serverUrl, `create database ${database}`)
  forget = () => onServer(serverUrl, `drop database if exists ${database} with (force)`)
  const storage = await openPostgresStorage(databaseUrlOf(serverUrl, database))
  await storage.close()
  project.provide('storageTemplate', { kind: 'postgres', serverUrl, database })
}

export async function teardown(): Promise<void> {
  await forget()
}
