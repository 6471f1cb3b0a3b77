import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createEmbedder } from '../src/platform/embedding/create-embedder.ts'
import { lockDirectory } from '../src/platform/storage/embedded/directory-lock.ts'
import { openEmbeddedStorage } from '../src/platform/storage/storage.ts'

/**
 * Opens what a service has indexed, and the embedded model that it used. The service must not be running.
 *
 * @param data - the service's data directory, on embedded storage
 */
export async function openIndex(data: string) {
  const directory = join(data, 'database')
  if (!existsSync(directory))
    throw new Error(`Nothing is indexed in ${data}: run \`npm run eval\` on that set first.`)
  const lock = lockDirectory(data)
  const { db, close } = await openEmbeddedStorage({ directory, isDurable: false })
  const { embedder, reason } = await createEmbedder(
    { remote: undefined, localFolder: undefined, cacheDirectory: join(data, 'models') },
    { fetch: () => Promise.reject(new Error('The embedded model needs no network.')) },
  )
  if (embedder === undefined) throw new Error(reason)
  return {
    db,
    embedder,
    baseOf: async (name: string) =>
      await db
        .selectFrom('knowledge_bases')
        .select(['id', 'language'])
        .where('name', '=', name)
        .executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: async () => {
      await embedder.close()
      await close()
      lock.release()
    },
  }
}
