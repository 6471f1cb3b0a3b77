import type { Bench, BenchOptions, Figure } from '../figure.ts'
import type { Child } from '../processes/child.ts'
import { startBareServer, startLoad } from '../processes/start-children.ts'
import { startCitewell, WITHOUT_EMBEDDING } from '../processes/start-citewell.ts'
import { measureRequests, type RequestPlan } from '../run/measure-requests.ts'
import { barePlan, searchPlan } from '../run/search-plans.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore, type Store } from '../store/store-folder.ts'

interface Searching {
  load: Child
  baseline: number
  options: BenchOptions
}

async function figureOf(
  name: string,
  plan: RequestPlan,
  most: number | undefined,
  { load, baseline, options }: Searching,
): Promise<Figure> {
  const progress = (text: string) => options.progress(`${name}: ${text}`)
  const measured = await measureRequests(load, plan, { ...options, progress })
  return {
    name,
    unit: 'ms',
    ...measured,
    baseline,
    ratio: (measured.p95 ?? Number.NaN) / baseline,
    ...(most !== undefined && { target: { most } }),
  }
}

/** Searches one store, with the embedded model and with keywords only. */
async function searchStore(store: Store, searching: Searching): Promise<Figure[]> {
  const isLarge = store.chunks > 50_000
  const what = `search, ${store.chunks.toLocaleString('en')} chunks`
  const figures: Figure[] = []
  using copy = copyOfStore(store)
  {
    await using citewell = await startCitewell(copy.data)
    const plan = (groups?: string[]) => searchPlan(citewell.address, store, groups)
    figures.push(await figureOf(what, plan(), isLarge ? 40 : undefined, searching))
    for (const { id, share } of store.groups.slice(0, 2)) {
      const name = `${what}, a group of ${share * 100}%`
      figures.push(await figureOf(name, plan([id]), isLarge && share === 0.05 ? 60 : undefined, searching))
    }
  }
  await using citewell = await startCitewell(copy.data, WITHOUT_EMBEDDING)
  const words = searchPlan(citewell.address, store)
  figures.push(await figureOf(`${what}, words alone`, words, isLarge ? 15 : undefined, searching))
  return figures
}

/** Duration of a search, including the embedding of its question, and its growth with the store. */
export const searchBench: Bench = {
  name: 'search',
  run: async (options) => {
    const small = await openStore(10_000, options)
    const large = await openStore(100_000, options)
    await using load = startLoad()
    await using bare = startBareServer()
    const baseline = await measureRequests(load, await barePlan(bare, small), options)
    const searching = { load, baseline: baseline.p95 ?? Number.NaN, options }
    const figures = [
      { name: 'bare Node server, as many bytes', unit: 'ms', ...baseline },
      ...(await searchStore(small, searching)),
      ...(await searchStore(large, searching)),
    ]
    return [...figures, growthOf(figures)]
  },
}

/** p95 of the plain search on the large store, as a multiple of that on the small one. */
function growthOf(figures: readonly Figure[]): Figure {
  const plain = figures.filter(({ name }) => /^search, [\d,]+ chunks$/.test(name))
  const [small, large] = plain.map(({ p95 }) => p95 ?? Number.NaN)
  return {
    name: 'search p95, 100,000 chunks to 10,000',
    unit: 'times',
    n: plain.reduce((sum, { n }) => sum + n, 0),
    value: (large ?? Number.NaN) / (small ?? Number.NaN),
    target: { most: 4 },
  }
}
