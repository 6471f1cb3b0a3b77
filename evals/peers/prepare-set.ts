import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { openPassages } from '../../service/test/open-passages.ts'
import { folderOf } from './kept-folder.ts'
import type { IndexedSet, Task } from './measured.ts'
import { partOf } from './part-of.ts'
import { indexInProcess } from './run-in-process.ts'

/** Indexes a set in Citewell and writes its passages, with their vectors, for the other systems. */
export async function prepareSet(task: Task): Promise<{ indexed: IndexedSet; passages: number }> {
  let indexed = await indexInProcess({ does: 'index', task })
  // The other systems get existing vectors, and so does Citewell.
  if (indexed.vectorsMade > 0) indexed = await indexInProcess({ does: 'index', task })
  await using opened = await openPassages(join(folderOf(task), 'data'))
  const passages = await opened.passagesOf(partOf(task).base.name)
  writeFileSync(task.passagesFile, serialize(passages))
  return { indexed, passages: passages.length }
}
