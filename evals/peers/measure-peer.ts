import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { openModel } from '../../service/test/open-model.ts'
import type { IndexedPassage } from '../../service/test/open-passages.ts'
import { residentMb, type Measured, type Task } from './measured.ts'
import { PEERS } from './peers.ts'
import type { EmbedQuery } from './peer.ts'
import { timeQuestions } from './time-questions.ts'

/** Passages asked of each: enough for ten pages. Citewell looks at as many for ten pages. */
const PASSAGES = 60

/** Builds a peer's index in memory, and asks it. */
export async function measurePeer(name: string, task: Task): Promise<Measured> {
  const peer = await PEERS.find((one) => one.name === name)?.load()
  if (peer === undefined) throw new Error(`There is no peer ${name}.`)
  const model = peer.usesVectors ? await openModel(join(task.keptData, 'models')) : undefined
  const embedQuery: EmbedQuery = async (text) => {
    if (model === undefined) throw new Error(`${name} was to do without vectors.`)
    return await model.embedQuery(text)
  }
  let passages: readonly IndexedPassage[] = deserialize(readFileSync(task.passagesFile)) as IndexedPassage[]
  const pages = passages.map(({ page }) => page)
  const startedAt = performance.now()
  const find = await peer.build(passages, embedQuery)
  const buildMs = performance.now() - startedAt
  // What the peer does not hold itself is not counted as its memory.
  passages = []
  const timed = await timeQuestions(task, async (question) =>
    (await find(question, PASSAGES)).map((place) => pages[place] ?? ''),
  )
  const { setting } = peer
  const measured = { ...timed, name: peer.name, setting, buildMs, residentMb: residentMb() }
  await model?.close()
  return measured
}
