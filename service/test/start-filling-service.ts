import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedStorage } from '../src/platform/storage/storage.ts'
import { readSettings } from '../src/app/settings.ts'
import { startService } from '../src/app/start-service.ts'
import { createNearbyEmbedder, passagesEmbedded } from './create-nearby-embedder.ts'

export interface FillingService extends AsyncDisposable {
  /** Where it listens, on a free port of 127.0.0.1. */
  address: string
  /** The owner's token, for the management API. */
  token: string
  /** Number of passages stored so far. */
  passages: () => number
  /** Drops the vector indexes: thousands of insertions into them cost more than building them once. */
  dropVectorIndexes: () => Promise<void>
  /** Builds the dropped indexes again, with the same definitions. */
  restoreVectorIndexes: () => Promise<void>
}

/**
 * The whole service within this process, to fill a data directory with far more passages than a model could embed in the same time: see
 * `create-nearby-embedder.ts`. The unchanged service can then use the directory.
 */
export async function startFillingService(data: string): Promise<FillingService> {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const storage = await openEmbeddedStorage({ directory: join(data, 'database'), isDurable: false })
  const settings = readSettings({
    PORT: '0',
    CITEWELL_DATA_DIR: data,
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_LOG_LEVEL: 'error',
  })
  const service = await startService(settings, {
    listens: true,
    works: true,
    storage,
    surroundings: { createEmbedder: createNearbyEmbedder },
  })
  if (service.notices.length > 0) {
    await service.close()
    throw new Error(`The service cannot fill a store: ${service.notices.join('; ')}`)
  }
  const definitions: string[] = []
  return {
    address: service.address ?? '',
    token: service.operatorToken,
    passages: passagesEmbedded,
    dropVectorIndexes: async () => {
      const { rows } = await storage.execute(
        `select indexname, indexdef from pg_indexes where indexdef like '% USING hnsw %'`,
      )
      for (const { indexname: name, indexdef: definition } of rows) {
        definitions.push(String(definition))
        await storage.execute(`drop index "${String(name)}"`)
      }
    },
    restoreVectorIndexes: async () => {
      await storage.execute(`set maintenance_work_mem = '512MB'`)
      for (const definition of definitions.splice(0)) {
        await storage.execute(definition.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'))
      }
      await storage.execute('vacuum analyze')
      await storage.execute('checkpoint')
    },
    // This closes the storage too.
    [Symbol.asyncDispose]: () => service.close(),
  }
}
