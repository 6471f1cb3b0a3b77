import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, BenchOptions, Figure } from '../figure.ts'
import { median } from '../load/percentile.ts'
import { startBareServer, startLoad } from '../processes/start-children.ts'
import { startCitewell } from '../processes/start-citewell.ts'
import { searchPlan } from '../run/search-plans.ts'
import type { Usage } from '../run/stream-sides.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore, type Store } from '../store/store-folder.ts'

/** After this time an idle service is at rest. */
const REST_MS = { quick: 5_000, whole: 20_000 } as const
const QUESTIONS = 200
const SAMPLES = 5

/** Resident megabytes at rest, after some questions, so that the model and the store have been used. */
async function restingMemory(store: Store, { quick, progress, signal }: BenchOptions): Promise<number> {
  using copy = copyOfStore(store)
  await using citewell = await startCitewell(copy.data)
  await using load = startLoad()
  const { target, bodyOf } = searchPlan(citewell.address, store)
  progress(`${store.chunks} chunks: asking`)
  const bodies = Array.from({ length: QUESTIONS }, (_, place) => bodyOf(place))
  await load.ask('requests', { target, bodies, perSecond: 10 })
  progress(`${store.chunks} chunks: resting`)
  const samples: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await wait(REST_MS[quick ? 'quick' : 'whole'] / SAMPLES, undefined, { signal })
    const metrics = await citewell.metrics()
    samples.push((metrics.get('process_resident_memory_bytes') ?? Number.NaN) / 1e6)
  }
  return median(samples)
}

/** Memory of an idle service, and its growth with the size of the store. */
export const memoryBench: Bench = {
  name: 'memory',
  run: async (options) => {
    const small = await restingMemory(await openStore(10_000, options), options)
    const large = await restingMemory(await openStore(100_000, options), options)
    await using server = startBareServer()
    const { residentBytes } = await server.ask<Usage>('usage')
    const baseline = residentBytes / 1e6
    const figureOf = (chunks: string, value: number): Figure => ({
      name: `resident at rest, model loaded, ${chunks} chunks, after ${QUESTIONS} questions`,
      unit: 'MB',
      n: SAMPLES,
      value,
      baseline,
      ratio: value / baseline,
      target: { most: 500 },
    })
    return [
      figureOf('10,000', small),
      figureOf('100,000', large),
      { name: 'resident at rest, 100,000 chunks to 10,000', unit: 'times', n: 2, value: large / small },
    ]
  },
}
