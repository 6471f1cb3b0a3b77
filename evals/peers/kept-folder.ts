import { join } from 'node:path'
import type { Task } from './measured.ts'

/** The comparison's own folder of a set: `npm run eval` keeps its databases. */
export const folderOf = ({ keptData, set }: Task) => join(keptData, 'peers', set)
