import type { Bench, Figure } from '../figure.ts'
import { median, percentile } from '../load/percentile.ts'
import { startBareServer } from '../processes/start-children.ts'
import { startCitewell } from '../processes/start-citewell.ts'
import { barePlan } from '../run/search-plans.ts'
import { chatPlan } from '../run/chat-plan.ts'
import type { RequestPlan } from '../run/measure-requests.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore } from '../store/store-folder.ts'

const RUNS = { quick: 3, whole: 7 } as const

/** Asks the first question, and waits for the end of its answer. */
async function askFirst({ target, bodyOf }: RequestPlan): Promise<void> {
  const response = await fetch(new URL(target.path, target.address), {
    method: 'POST',
    headers: target.headers,
    body: bodyOf(0),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"error"'))
    throw new Error(`The first question failed: ${text.slice(0, 300)}`)
}

/** From starting the process to its first answer, composed of quotes by the embedded answerer. */
export const startBench: Bench = {
  name: 'start',
  run: async (options) => {
    const store = await openStore(100_000, options)
    const runs = options.quick ? RUNS.quick : RUNS.whole
    const listening: number[] = []
    const answered: number[] = []
    const bare: number[] = []
    // One copy for all runs: a store is opened again and again, as on a machine that is restarted.
    using copy = copyOfStore(store)
    for (let run = 1; run <= runs; run += 1) {
      options.signal.throwIfAborted()
      options.progress(`run ${run} of ${runs}`)
      const bareAt = performance.now()
      await using server = startBareServer()
      await askFirst(await barePlan(server, store))
      bare.push(performance.now() - bareAt)
      const startedAt = performance.now()
      await using citewell = await startCitewell(copy.data)
      listening.push(citewell.startMs)
      await askFirst(chatPlan(citewell.address, store))
      answered.push(performance.now() - startedAt)
    }
    const figureOf = (name: string, times: readonly number[]): Figure => ({
      name: `start with 100,000 chunks, until ${name}`,
      unit: 'ms',
      n: times.length,
      p50: median(times),
      p95: percentile(times, 0.95),
      value: median(times),
      baseline: median(bare),
      ratio: median(times) / median(bare),
      note: `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`,
    })
    return [
      figureOf('it listens', listening),
      { ...figureOf('the first answer is whole', answered), target: { most: 3_000 } },
    ]
  },
}
