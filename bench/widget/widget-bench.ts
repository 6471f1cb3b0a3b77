import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openChromium } from '../../e2e/open-chromium.ts'
import { answerFrames, playChat, startWidgetWorld, type WidgetWorld } from '../../e2e/browser/widget-world.ts'
import type { Bench, Figure } from '../figure.ts'
import { median, percentile } from '../load/percentile.ts'
import { openLighthouse, type LighthouseMarks } from './lighthouse.ts'
import { costOf, interactionsOf, openingOf, searchesOf, streamingOf, type PageCost } from './measure-page.ts'
import { fetchPeers, markupOf, type PeerFile } from './peers.ts'

/** Lighthouse takes some 15 seconds for each page. */
const ROUNDS = { quick: 2, whole: 7 } as const
const LIGHTHOUSE_ROUNDS = { quick: 1, whole: 5 } as const

/** A token of a model: four characters. */
const PARAGRAPH =
  'Keys are **rotated** every day [1], see `acme keys rotate` and [the guide](https://docs.example.com/a). '
const textOf = (tokens: number) =>
  `${PARAGRAPH.repeat(4)}\n\n`.repeat(Math.ceil((tokens * 4) / (PARAGRAPH.length * 4))).slice(0, tokens * 4)

/** Frames of an answer, at this many tokens in a second; a frame has one every 10 ms. */
function framesAt(tokens: number, perSecond: number): (object | number)[] {
  const [first = {}, ...others] = answerFrames('')
  const text = textOf(tokens)
  const size = Math.max(4, (perSecond / 100) * 4)
  const deltas = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return [first, ...deltas.flatMap((delta) => [10, { delta, done: false }]), ...others]
}

function sizesOf(peers: readonly PeerFile[]): Figure[] {
  const built = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../widget/dist/files.json'), 'utf8'),
  ) as { files: { file: string; gz: number }[] }
  const gzOf = (pattern: RegExp) =>
    (built.files.find(({ file }) => pattern.test(file))?.gz ?? Number.NaN) / 1_024
  const sizeOf = (name: string, value: number, most?: number): Figure => ({
    name: `gzip of ${name}`,
    unit: 'KiB',
    n: 1,
    value,
    ...(most !== undefined && { target: { most } }),
  })
  return [
    sizeOf('Citewell: what a page loads', gzOf(/^widget\.js$/), 4),
    sizeOf('Citewell: panel', gzOf(/^panel-/), 38),
    sizeOf('Citewell: asking and answers, behind the panel', gzOf(/^answers-/)),
    sizeOf('Citewell: renderer, behind the panel', gzOf(/^markdown-/)),
    ...peers.map(({ name, version, file, gz }) => ({
      ...sizeOf(`${name} ${version}`, gz / 1_024),
      note: file,
    })),
  ]
}

const withTag = (world: WidgetWorld, more: Record<string, string> = {}) =>
  world.page({ 'knowledge-base-id': world.base.id, 'client-key': world.base.client_key.key, ...more })

/** The pages: without a widget, with ours, and with each peer. */
function layOutPages(world: WidgetWorld, peers: readonly PeerFile[]): Map<string, string> {
  const { pages, service, base } = world
  const places = new Map<string, string>()
  const add = (name: string, path: string, markup: string) => {
    pages.set(path, PAGE(markup))
    places.set(name, pages.origin + path)
  }
  add('nothing', '/plain', '')
  add(
    OURS,
    '/with/citewell',
    `<script src="${service.origin}/widget.js" data-knowledge-base-id="${base.id}" data-client-key="${base.client_key.key}" async></script>`,
  )
  for (const peer of peers) {
    pages.set(`/peers/${peer.name}.js`, peer.source, { 'content-type': 'text/javascript' })
    add(peer.name, `/with/${peer.name}`, markupOf(peer))
  }
  return places
}

const OURS = 'Citewell'

const PAGE = (markup: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Docs</title><link rel="icon" href="data:,"><body><h1>Docs</h1>${'<p>Keys are rotated every day at midnight, and webhooks hear of it.</p>'.repeat(40)}${markup}</body></html>`

/** Measures each page once in each round: what else the machine does falls on all of them. */
async function inRounds<Measured>(
  pages: ReadonlyMap<string, string>,
  rounds: number,
  progress: (text: string) => void,
  measure: (address: string) => Promise<Measured>,
): Promise<Map<string, Measured[]>> {
  const measured = new Map<string, Measured[]>()
  for (let round = 1; round <= rounds; round++)
    for (const [name, address] of pages) {
      progress(`round ${round} of ${rounds}: a page with ${name}`)
      measured.set(name, [...(measured.get(name) ?? []), await measure(address)])
    }
  return measured
}

/** A figure of each page; those of pages with a widget are less that of the page without, round by round. */
function pageFigures<Measured>(
  what: string,
  unit: string,
  measured: ReadonlyMap<string, Measured[]>,
  valueOf: (one: Measured) => number,
  target?: Figure['target'],
): Figure[] {
  const without = measured.get('nothing')?.map(valueOf) ?? []
  return [...measured].map(([name, rounds]) => {
    const values = rounds.map((one, round) => valueOf(one) - (name === 'nothing' ? 0 : (without[round] ?? 0)))
    return {
      name: `${what}, page with ${name}${name === 'nothing' ? '' : ' less without'}`,
      unit,
      n: values.length,
      value: median(values),
      ...(name === OURS && target && { target }),
    }
  })
}

async function lighthouseFigures(
  pages: ReadonlyMap<string, string>,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  progress('fetching Lighthouse')
  await using lighthouse = await openLighthouse()
  const measured = await inRounds<LighthouseMarks>(
    pages,
    rounds,
    (text) => progress(`Lighthouse, ${text}`),
    async (address) => await lighthouse.measure(address),
  )
  return [
    ...pageFigures('Lighthouse performance', '', measured, ({ points }) => points, { least: -1 }),
    ...pageFigures('Lighthouse TBT', 'ms', measured, ({ blocking }) => blocking, { most: 20 }),
    ...pageFigures('Lighthouse CLS', '', measured, ({ shift }) => shift, { most: 0 }),
  ]
}

async function costFigures(
  pages: ReadonlyMap<string, string>,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const browser = await openChromium({ isWhole: true })
  try {
    const measured = await inRounds<PageCost>(
      pages,
      rounds,
      progress,
      async (address) => await costOf(browser, address),
    )
    const faults = [...measured].flatMap(([name, costs]) =>
      costs.flatMap((cost) => cost.faults.map((fault) => `the page with ${name} threw: ${fault}`)),
    )
    const [first, ...others] = pageFigures('script', 'ms', measured, ({ scriptMs }) => scriptMs)
    return [
      // A widget that did not start costs nothing, and its figures mean nothing.
      ...(first ? [{ ...first, ...(faults[0] !== undefined && { note: faults[0] }) }] : []),
      ...others,
      ...pageFigures('blocking', 'ms', measured, ({ blocking }) => blocking, { most: 20 }),
      ...pageFigures('layout shift', '', measured, ({ shift }) => shift, { most: 0 }),
    ]
  } finally {
    await browser.close()
  }
}

async function openingFigures(
  world: WidgetWorld,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const browser = await openChromium({ isWhole: true })
  try {
    const cold: number[] = []
    const warm: number[] = []
    for (let round = 1; round <= rounds; round++) {
      progress(`opening, round ${round} of ${rounds}`)
      cold.push(await openingOf(browser, withTag(world), false))
      warm.push(await openingOf(browser, withTag(world), true))
    }
    const figure = (name: string, values: number[], most: number): Figure => ({
      name,
      unit: 'ms',
      n: values.length,
      p50: median(values),
      value: median(values),
      target: { most },
      note: `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`,
    })
    return [
      figure('open, cold, Slow 4G, processor 4 times slower', cold, 400),
      figure('open, preloaded, processor 4 times slower', warm, 100),
    ]
  } finally {
    await browser.close()
  }
}

async function streamingFigures(world: WidgetWorld, progress: (text: string) => void): Promise<Figure[]> {
  const browser = await openChromium({ isWhole: true })
  try {
    progress('an answer at 100 tokens a second')
    world.service.play(playChat(framesAt(1_000, 100)))
    const slowed = await streamingOf(browser, withTag(world), 4)
    progress('an answer of 10,000 tokens')
    world.service.play(playChat(framesAt(10_000, 1_000)))
    const long = await streamingOf(browser, withTag(world), 1)
    progress('using the panel while an answer comes')
    world.service.play(playChat(framesAt(1_500, 100)))
    const interactions = await interactionsOf(browser, withTag(world), 4)
    return [
      {
        name: 'frames at 100 tokens/s, processor 4 times slower',
        unit: 'ms',
        n: slowed.frames.length,
        p50: median(slowed.frames),
        p95: percentile(slowed.frames, 0.95),
        target: { most: 25 },
      },
      {
        name: 'flush of an answer of 10,000 tokens',
        unit: 'ms',
        n: long.flushes.length,
        p50: median(long.flushes),
        p99: percentile(long.flushes, 0.99),
        value: Math.max(...long.flushes),
        target: { most: 8 },
        note: 'value: the longest',
      },
      {
        name: 'last frame of an answer of 10,000 tokens, with its citations',
        unit: 'ms',
        n: 1,
        value: long.last,
        target: { most: 8 },
      },
      {
        name: 'interactions while an answer comes, processor 4 times slower',
        unit: 'ms',
        n: interactions.length,
        p50: median(interactions),
        value: Math.max(...interactions),
        target: { most: 100 },
        note: 'value: the longest, as INP counts fewer than 50 of them; of keys and presses in the panel that took 16 ms and more',
      },
    ]
  } finally {
    world.service.play(undefined)
    await browser.close()
  }
}

async function searchFigures(world: WidgetWorld, progress: (text: string) => void): Promise<Figure[]> {
  const browser = await openChromium({ isWhole: true })
  try {
    progress('searching')
    const searches = await searchesOf(browser, withTag(world), 4)
    const figure = (name: string, values: number[]): Figure => ({
      name: `key to drawn results of the search, ${name}`,
      unit: 'ms',
      n: values.length,
      p50: median(values),
      p95: percentile(values, 0.95),
    })
    const own = searches.map(({ drawn, service }) => drawn - service)
    return [
      figure(
        'processor 4 times slower',
        searches.map(({ drawn }) => drawn),
      ),
      // The pause in typing, 70 ms, is in it.
      { ...figure('less the time of its request', own), target: { most: 100 } },
    ]
  } finally {
    await browser.close()
  }
}

/** The website widget: sizes, what it costs a page, opening and streaming, beside other widgets from the registry. */
export const widgetBench: Bench = {
  name: 'widget',
  run: async ({ quick, progress, signal }) => {
    const rounds = quick ? ROUNDS.quick : ROUNDS.whole
    const peers = await fetchPeers(progress)
    progress('starting the service')
    const world = await startWidgetWorld()
    try {
      signal.throwIfAborted()
      const pages = layOutPages(world, peers)
      const figures = await costFigures(pages, rounds, progress)
      figures.push(
        ...(await lighthouseFigures(pages, LIGHTHOUSE_ROUNDS[quick ? 'quick' : 'whole'], progress)),
      )
      signal.throwIfAborted()
      figures.push(...(await openingFigures(world, rounds, progress)))
      figures.push(...(await searchFigures(world, progress)))
      return [...sizesOf(peers), ...figures, ...(await streamingFigures(world, progress))]
    } finally {
      await world.stop()
    }
  },
}
