import { mkdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { openEmbeddedStorage } from '../src/platform/storage/storage.ts'
import { passagesEmbedded } from './create-nearby-embedder.ts'

export interface FillingService extends AsyncDisposable {
  /** Where it listens, on a free port of 127.0.0.1. */
  address: string
  /** Of the owner, for the management API. */
  token: string
  /** Passages stored so far. */
  passages: () => number
  /** Takes the vector indexes away: thousands of insertions into them cost more than making them once. */
  dropVectorIndexes: () => Promise<void>
  /** Makes what was taken away, word for word. */
  restoreVectorIndexes: () => Promise<void>
}

const REAL = new URL('../src/platform/embedding/create-embedder.ts', import.meta.url).href
const NEARBY = new URL('./create-nearby-embedder.ts', import.meta.url).href

/** The service makes its embedder itself, and only a store that is to be full quickly wants another one. */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context)
    return resolved.url === REAL && context.parentURL !== NEARBY ? { ...resolved, url: NEARBY } : resolved
  },
})

/**
 * The whole service within this process, to fill a data directory with far more passages than a model could embed in that
 * time: see `create-nearby-embedder.ts`. What it leaves behind is served by the service as it is.
 */
export async function startFillingService(data: string): Promise<FillingService> {
  // Only now: what is imported above is resolved before the hook stands.
  const { readSettings } = await import('../src/app/settings.ts')
  const { startService } = await import('../src/app/start-service.ts')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const storage = await openEmbeddedStorage({ directory: join(data, 'database'), isDurable: false })
  const settings = readSettings({
    PORT: '0',
    CITEWELL_DATA_DIR: data,
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_LOG_LEVEL: 'error',
  })
  const service = await startService(settings, { listens: true, works: true, test: { storage } })
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
    // The storage too.
    [Symbol.asyncDispose]: () => service.close(),
  }
}
