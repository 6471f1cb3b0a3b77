/**
 * Runs once before the tests: creates one database with the schema and the queues of the service, from which every test file starts. Embedded
 * by default; with `DATABASE_URL`, a database on that server.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { composeService } from '../src/app/compose.ts'
import { readSettings } from '../src/app/settings.ts'
import { REAL_SURROUNDINGS } from '../src/app/surroundings.ts'
import { createLog } from '../src/platform/log/log.ts'
import { openEmbeddedStorage, openPostgresStorage, type Storage } from '../src/platform/storage/storage.ts'
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
    await createQueues(storage, folder)
    await dropOtherDatabases(storage)
    const dumped = await storage.dump?.()
    await storage.close()
    if (dumped === undefined) throw new Error('The embedded storage gave no dump.')
    const file = join(folder, 'template.tar')
    await writeFile(file, dumped)
    const code = join(folder, 'engine-code')
    writeEngineCode(compiled, code)
    project.provide('storageTemplate', { kind: 'embedded', file, code })
    forget = () => rm(folder, { recursive: true })
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'citewell-template-'))
  const database = `citewell_template_${process.pid}`
  await onServer(serverUrl, `drop database if exists ${database} with (force)`)
  await onServer(serverUrl, `create database ${database}`)
  forget = async () => {
    await onServer(serverUrl, `drop database if exists ${database} with (force)`)
    await rm(folder, { recursive: true })
  }
  const storage = await openPostgresStorage(databaseUrlOf(serverUrl, database))
  await createQueues(storage, folder)
  // Made by a library, and not by a migration.
  await storage.execute('drop table rate_limit_counters')
  await storage.close()
  project.provide('storageTemplate', { kind: 'postgres', serverUrl, database })
}

/** PostgreSQL has two to copy new ones from: a third of what each test database would be read from. */
async function dropOtherDatabases(storage: Storage): Promise<void> {
  await storage.execute("update pg_database set datistemplate = false where datname like 'template%'")
  for (const name of ['template0', 'template1']) await storage.execute(`drop database ${name}`)
}

/** As a service does at its first start: forty statements, which each service of a test would run again. */
async function createQueues(storage: Storage, dataDirectory: string): Promise<void> {
  const service = await composeService({
    settings: readSettings({ CITEWELL_DATA_DIR: dataDirectory, CITEWELL_LOG_LEVEL: 'silent' }),
    dataDirectory,
    storage,
    log: createLog('silent'),
    namedFolders: () => [],
    surroundings: {
      ...REAL_SURROUNDINGS,
      createEmbedder: () => Promise.resolve({ embedder: undefined, reason: 'not needed' }),
    },
  })
  await service.startJobs(false)
  await service.close()
}

export async function teardown(): Promise<void> {
  await forget()
}
