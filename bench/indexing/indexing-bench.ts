import { join } from 'node:path'
import type { Bench, BenchOptions, Figure } from '../figure.ts'
import { median } from '../load/percentile.ts'
import { startChild } from '../processes/child.ts'
import type { BareModelRate } from './bare-model-process.ts'
import { crawlSite, startCrawlingService } from './crawling-service.ts'
import type { Answered } from './site-process.ts'
import { storedPassages } from './stored-passages.ts'
import { highest, watchMemory } from './watch-memory.ts'

const FULL = { pages: 10_000, embeddedPages: 10_000, barePages: 1_000 }
const QUICK = { pages: 1_000, embeddedPages: 150, barePages: 150 }

const file = (name: string) => join(import.meta.dirname, name)

/** How much more memory the last third took than the first one. Below 1, memory was released. */
function growthOf(megabytes: readonly number[]): number {
  const third = Math.floor(megabytes.length / 3)
  return highest(megabytes.slice(-third)) / highest(megabytes.slice(0, third))
}

function memoryFigures(megabytes: readonly number[], pages: number, what: string): Figure[] {
  const name = `resident memory while indexing ${pages} pages, ${what}`
  const n = megabytes.length
  return [
    { name, unit: 'MB', n, p50: median(megabytes), value: highest(megabytes), target: { most: 1_200 } },
    {
      name: `${name}: last third to first`,
      unit: 'times',
      n,
      value: growthOf(megabytes),
      target: { most: 1.25 },
    },
  ]
}

/** Crawls, parses, chunks and writes; then syncs once more without changes. */
async function withoutModel(
  site: string,
  pages: number,
  answered: () => Promise<Answered>,
  options: BenchOptions,
) {
  await using service = await startCrawlingService({ embeds: false })
  using memory = watchMemory(service.pid)
  const progress = (text: string) => options.progress(`without embedding: ${text}`)
  const first = await crawlSite(service, site, { ...options, pages, progress })
  const megabytes = [...memory.megabytes]
  await answered()
  const second = await crawlSite(service, first, { ...options, pages, progress })
  const { 200: fetched = 0 } = await answered()
  const rate = (seconds: number) => pages / seconds
  const figures: Figure[] = [
    {
      name: 'crawl, parse, chunk and write, no embedding',
      unit: 'pages/s',
      n: pages,
      value: rate(first.seconds),
      target: { least: 100 },
    },
    {
      name: 'second sync of the unchanged site',
      unit: 'times',
      n: pages,
      value: second.seconds / first.seconds,
      target: { most: 0.2 },
      note: `of the first one's time; ${fetched} pages were sent again`,
    },
    ...memoryFigures(megabytes, pages, 'no embedding'),
  ]
  return figures
}

/** The same with the built-in model; then the model alone, on passages of these pages. */
async function withModel(site: string, pages: number, barePages: number, options: BenchOptions) {
  await using service = await startCrawlingService({ embeds: true })
  using memory = watchMemory(service.pid)
  const progress = (text: string) => options.progress(`with embedding: ${text}`)
  const usedBefore = await service.processorMs()
  const { seconds } = await crawlSite(service, site, { ...options, pages, progress })
  const megabytes = [...memory.megabytes]
  const used = (await service.processorMs()) - usedBefore
  const { count, some } = await storedPassages(service, barePages)
  options.progress(`the model alone: ${some.length} passages`)
  await using model = startChild(file('bare-model-process.ts'))
  const bare = await model.ask<BareModelRate>('rate', { passages: some })
  const rate = count / seconds
  const figures: Figure[] = [
    {
      name: 'indexing with embedding, as a part of the bare model’s rate',
      unit: 'times',
      n: count,
      value: rate / bare.perSecond,
      target: { least: 0.85 },
      note: `${rate.toFixed(1)} passages/s, the model alone ${bare.perSecond.toFixed(1)}; ${(pages / seconds).toFixed(1)} pages/s`,
    },
    {
      name: 'processor time of a passage, with all of indexing',
      unit: 'ms',
      n: count,
      value: used / count,
      baseline: bare.processorMs,
      ratio: used / count / bare.processorMs,
      note: 'baseline: the model alone. Unlike the rates, these hold on a machine that does other things too',
    },
    ...memoryFigures(megabytes, pages, 'embedding'),
  ]
  return figures
}

/** Reads a local site of small pages into an empty service: throughput and memory. */
export const indexingBench: Bench = {
  name: 'indexing',
  run: async (options) => {
    const { pages, embeddedPages, barePages } = options.quick ? QUICK : FULL
    await using small = startChild(file('site-process.ts'))
    const { address } = await small.ask<{ address: string }>('open', { pages })
    const first = await withoutModel(address, pages, () => small.ask<Answered>('answered'), options)
    await using large = startChild(file('site-process.ts'))
    const embedded = await large.ask<{ address: string }>('open', { pages: embeddedPages })
    return [...first, ...(await withModel(embedded.address, embeddedPages, barePages, options))]
  },
}
