import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A new database is copied into its folder. If the copy is interrupted (by a full disk, or a kill), the next start would take an
 * incomplete database for a complete one: the mark prevents that, and the folder is created again.
 */
export function markUnfinished(directory: string) {
  const mark = `${directory}.unfinished`
  return {
    beforeOpening: async (): Promise<void> => {
      if (existsSync(mark)) await rm(directory, { recursive: true, force: true })
      if (!existsSync(join(directory, 'PG_VERSION'))) await writeFile(mark, '')
    },
    afterOpening: (): Promise<void> => rm(mark, { force: true }),
  }
}
