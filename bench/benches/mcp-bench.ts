import type { Bench, BenchOptions, Figure } from '../figure.ts'
import { startBareServer, startLoad } from '../processes/start-children.ts'
import { startCitewell } from '../processes/start-citewell.ts'
import { listPlan, listSourcesPlan, searchToolPlan } from '../run/mcp-plans.ts'
import { measureRequests, type RequestPlan } from '../run/measure-requests.ts'
import { barePlan, searchPlan } from '../run/search-plans.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore } from '../store/store-folder.ts'

const MANY_A_SECOND = 200

/** Throughput is measured to the last answer, which arrives a little after the last call was sent. */
const REACHED_A_SECOND = MANY_A_SECOND * 0.98

/** p95, in milliseconds. A tool waits for the list before each conversation. */
const MAX_LIST_MS = 5

/** p95, in milliseconds: low enough that a model's search is not noticeable. Calls under load should be as fast as a single one. */
const MAX_CALL_MS = 60

/** The overhead of the protocol on a search, and the throughput of calls. */
export const mcpBench: Bench = {
  name: 'mcp',
  run: async (options) => {
    const store = await openStore(10_000, options)
    await using load = startLoad()
    await using bare = startBareServer()
    using copy = copyOfStore(store)
    await using citewell = await startCitewell(copy.data)
    const cpuSeconds = async () => (await citewell.metrics()).get('process_cpu_seconds_total') ?? Number.NaN
    const processorTimes: Figure[] = []

    /** Measures, and records the CPU time of the service per request, which does not depend on other load on the machine. */
    async function measure(plan: RequestPlan, name: string): Promise<Figure> {
      let n = 0
      const bodyOf = (number: number) => {
        n += 1
        return plan.bodyOf(number)
      }
      const progress: BenchOptions['progress'] = (text) => options.progress(`${name}: ${text}`)
      const before = await cpuSeconds()
      const measured = await measureRequests(load, { ...plan, bodyOf }, { ...options, progress })
      const value = (((await cpuSeconds()) - before) * 1_000) / n
      processorTimes.push({ name: `processor time: ${name}`, unit: 'ms', n, value })
      return { name, unit: 'ms', ...measured }
    }
    const beside = (figure: Figure, baseline: Figure, most?: number): Figure => ({
      ...figure,
      baseline: baseline.p95 ?? Number.NaN,
      ratio: (figure.p95 ?? Number.NaN) / (baseline.p95 ?? Number.NaN),
      ...(most !== undefined && { target: { most } }),
    })

    const { address } = citewell
    const bareFigure = await measure(await barePlan(bare, store), 'bare Node server, as many bytes')
    const overHttp = await measure(searchPlan(address, store), 'the same search over HTTP')
    const list = await measure(listPlan(address, store, false), 'tools/list')
    const legacyList = await measure(listPlan(address, store, true), 'tools/list, protocol before')
    const search = await measure(searchToolPlan(address, store, 10), 'search tool, 10,000 chunks')
    const many = `list_sources, ${MANY_A_SECOND} calls a second`
    const calls = await measure(listSourcesPlan(address, store, MANY_A_SECOND), many)
    return [
      bareFigure,
      beside(overHttp, bareFigure),
      beside(list, bareFigure, MAX_LIST_MS),
      beside(legacyList, bareFigure, MAX_LIST_MS),
      { ...beside(search, overHttp, MAX_CALL_MS), note: `${search.note}; ratio to the search over HTTP` },
      beside(calls, bareFigure, MAX_CALL_MS),
      {
        name: `${many}: answered`,
        unit: 'calls/s',
        n: calls.n,
        value: calls.perSecond ?? Number.NaN,
        target: { least: REACHED_A_SECOND },
      },
      ...processorTimes.slice(1),
    ]
  },
}
