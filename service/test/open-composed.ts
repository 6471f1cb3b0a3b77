import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeService } from '../src/app/compose.ts'
import { readSettings, type Settings } from '../src/app/settings.ts'
import { REAL_SURROUNDINGS, type Surroundings } from '../src/app/surroundings.ts'
import type { Jobs } from '../src/platform/jobs/jobs.ts'
import { createLog, type Log } from '../src/platform/log/log.ts'
import { createKeptParsing } from './kept-parsing.ts'
import { createKeptPreparing } from './kept-threads.ts'
import { openTestStorage, type TestStorage } from './test-storage.ts'

/** The public URL of the service, as its settings say. */
export const PUBLIC_URL = 'https://answers.example.com'

/** An identity provider that is not used for signing in here. */
export const SIGN_IN_PROVIDER = {
  id: 'oidc',
  name: 'Example ID',
  issuer: 'https://id.example.com',
  clientId: 'citewell',
  clientSecret: 'secret',
}

export interface ComposedGiven {
  /** Shared by the whole test file: opening one takes seconds, and bases do not affect each other. It stays open. */
  storage?: TestStorage
  settings?: Partial<Settings>
  surroundings?: Partial<Surroundings>
  /** Where the service keeps files; a new folder by default, which is removed. */
  dataDirectory?: string
  log?: Log
}

/**
 * The service as `citewell up` composes it, without an embedding model; nothing runs yet. Jobs are collected in `enqueued` and not
 * executed.
 */
export async function openComposed(given: ComposedGiven) {
  const storage = given.storage ?? (await openTestStorage())
  const dataDirectory = given.dataDirectory ?? mkdtempSync(join(tmpdir(), 'citewell-composed-'))
  const enqueued: { name: string; data: Record<string, string> }[] = []
  const jobs: Jobs = {
    start: () => Promise.resolve(),
    enqueue: (name, data) => Promise.resolve(void enqueued.push({ name, data })),
    stop: () => Promise.resolve(),
  }
  const settings = readSettings({
    PORT: '0',
    CITEWELL_DATA_DIR: dataDirectory,
    CITEWELL_PUBLIC_URL: PUBLIC_URL,
    // One for all services of a test: they may share a storage.
    CITEWELL_SECRET_KEY: 'a master key of tests that is long enough to be one',
    CITEWELL_ALLOW_PRIVATE_NETWORK: 'true',
    CITEWELL_TRUST_PROXY: 'near',
    CITEWELL_LOG_LEVEL: 'silent',
  })
  const service = await composeService({
    settings: { ...settings, ...given.settings },
    dataDirectory,
    storage,
    log: given.log ?? createLog('silent'),
    namedFolders: () => [],
    surroundings: {
      ...REAL_SURROUNDINGS,
      createEmbedder: () => Promise.resolve({ embedder: undefined, reason: 'none in this test' }),
      createParsing: createKeptParsing,
      createPreparing: createKeptPreparing,
      createJobs: () => jobs,
      validatesResponses: true,
      ...given.surroundings,
    },
  })
  return {
    service,
    storage,
    dataDirectory,
    enqueued,
    close: async () => {
      await service.close()
      if (given.storage === undefined) await storage.close()
      if (given.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
