import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '../src/platform/storage/embedded/directory-lock.ts'
import { openEmbeddedStorage } from '../src/platform/storage/storage.ts'
import { openModel } from './open-model.ts'

/**
 * Opens the index of a service, and the embedding model that it used. The service must not be running.
 *
 * @param data - the service's data directory, on embedded storage
 */
export async function openIndex(data: string) {
  const directory = join(data, 'database')
  if (!existsSync(directory))
    throw new Error(`Nothing is indexed in ${data}: run \`npm run eval\` on that set first.`)
  const lock = lockDirectory(data)
  const { db, close } = await openEmbeddedStorage({ directory, isDurable: false })
  const embedder = await openModel()
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
