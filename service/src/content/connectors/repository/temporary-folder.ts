import { mkdtemp, opendir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SourceFailure } from '../connector.ts'
import { MAX_PACK_BYTES } from './git-limits.ts'

const WATCH_EVERY_MS = 250

export const tooLarge = () => new SourceFailure('The repository is larger than 2 GiB.')

/** A temporary folder for one repository, and how to remove it. */
export async function makeTemporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-git-'))
  return { folder, remove: async () => await rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/** Ends a fetch when it exceeds the size limit. The fetched objects are written as one pack. */
export function watchSize(folder: string, end: (reason: SourceFailure) => void): NodeJS.Timeout {
  const look = async () => {
    let bytes = 0
    const packs = join(folder, 'objects', 'pack')
    for await (const { name } of await opendir(packs)) bytes += (await stat(join(packs, name))).size
    if (bytes > MAX_PACK_BYTES) end(tooLarge())
  }
  return setInterval(() => void look().catch(() => {}), WATCH_EVERY_MS)
}
