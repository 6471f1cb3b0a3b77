import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '../src/platform/storage/embedded/directory-lock.ts'
import { readSettings } from '../src/app/settings.ts'
import { startService } from '../src/app/start-service.ts'
import { createEmbedder } from '../src/platform/embedding/create-embedder.ts'
import { openKeptVectors, type KeptVectors } from './kept-vectors.ts'

export interface KeptService extends AsyncDisposable {
  /** Where it listens, on a free port of 127.0.0.1. */
  address: string
  /** The owner's token, for the management API. */
  token: string
  vectors: KeptVectors
}

/** Throws if another process uses the folder: its database must not be opened twice. */
function dropDatabase(data: string): void {
  const lock = lockDirectory(data)
  rmSync(join(data, 'database'), { recursive: true, force: true })
  lock.release()
}

/**
 * The whole service as a user runs it (embedded storage, embedded model, no language model), within this process, on a
 * permanent folder. Vectors of passages are stored beside the database, so that a new database takes only minutes.
 *
 * @param folder - used only by this service while it runs
 * @param isFresh - starts with an empty database, and keeps the vectors
 */
export async function startKeptService(folder: string, isFresh: boolean): Promise<KeptService> {
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (isFresh) dropDatabase(data)
  const vectors = openKeptVectors(join(folder, 'vectors'))
  const settings = readSettings({
    PORT: '0',
    CITEWELL_DATA_DIR: data,
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    CITEWELL_LOG_LEVEL: 'error',
  })
  const service = await startService(settings, {
    listens: true,
    works: true,
    surroundings: {
      createEmbedder: async (...given) => {
        const created = await createEmbedder(...given)
        if (created.embedder === undefined) return created
        return { embedder: vectors.keepFor(created.embedder), reason: undefined }
      },
    },
  }).catch((cause: unknown) => {
    throw new Error(`The service does not start on ${data}; an empty database might help.`, { cause })
  })
  if (service.notices.length > 0) {
    await service.close()
    throw new Error(`The service does not run as it should be measured: ${service.notices.join('; ')}`)
  }
  return {
    address: service.address ?? '',
    token: service.operatorToken,
    vectors,
    [Symbol.asyncDispose]: () => service.close(),
  }
}
