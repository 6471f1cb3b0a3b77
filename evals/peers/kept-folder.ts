import { join } from 'node:path'
import type { Task } from './measured.ts'

/** The comparison's own folder of a set, separate from the databases that `npm run eval` keeps. */
export const folderOf = ({ keptData, set }: Task) => join(keptData, 'peers', set)
