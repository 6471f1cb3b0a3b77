import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { openModel } from '../../service/test/open-model.ts'
import type { IndexedPassage } from '../../service/test/open-passages.ts'
import { residentMb, type Measured, type Task } from './measured.ts'
import { PEERS } from './peers.ts'
import type { EmbedQuery } from './peer.ts'
import { timeQuestions } from './time-questions.ts'

/** Passages requested from each: enough for ten pages. Citewell reads as many for ten pages. */
const PASSAGES = 60

/** Builds a peer's index in memory, and asks it the questions. */
export async function measurePeer(name: string, task: Task): Promise<Measured> {
  const peer = await PEERS.find((one) => one.name === name)?.load()
  if (peer === undefined) throw new Error(`There is no peer ${name}.`)
  const model = peer.usesVectors ? await openModel() : undefined
  const embedQuery: EmbedQuery = async (text) => {
    if (model === undefined) throw new Error(`${name} is declared as not using vectors.`)
    return await model.embedQuery(text)
  }
  let passages: readonly IndexedPassage[] = deserialize(readFileSync(task.passagesFile)) as IndexedPassage[]
  const pages = passages.map(({ page }) => page)
  const startedAt = performance.now()
  const find = await peer.build(passages, embedQuery)
  const buildMs = performance.now() - startedAt
  // Memory of passages that the peer itself does not keep is not counted.
  passages = []
  const timed = await timeQuestions(task, async (question) =>
    (await find(question, PASSAGES)).map((place) => pages[place] ?? ''),
  )
  const { setting } = peer
  const measured = { ...timed, name: peer.name, setting, buildMs, residentMb: residentMb() }
  await model?.close()
  return measured
}
