import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A database is made by copying it into its folder. Where that was cut short (by a full disk, or a kill), the next start would take
 * half a database for a whole one: the mark says so, and what lies there is made anew.
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
