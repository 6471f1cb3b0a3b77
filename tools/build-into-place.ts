import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Builds into a folder beside the last build and puts it in its place in one step: two services may start at the same time, and readers see
 * one build or the other.
 *
 * @param folder relative to the root of the repository
 * @param builtFrom the hash of the sources, if the service asked for the build
 */
export async function buildIntoPlace(
  folder: string,
  builtFrom: string | undefined,
  build: (given: { outDir: string }) => Promise<unknown>,
): Promise<void> {
  const place = join(ROOT, folder)
  const fresh = `${place}-${process.pid}`
  const old = `${fresh}-old`
  try {
    await build({ outDir: fresh })
    if (builtFrom !== undefined) await writeFile(join(fresh, 'built-from'), builtFrom)
    await rename(place, old).catch(() => undefined)
    await rename(fresh, place)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}
