import type { Browser, CDPSession, Page } from 'playwright-core'

/** What a page cost until five seconds after it had loaded. */
export interface PageCost {
  /** Milliseconds of the main thread in scripts. */
  scriptMs: number
  /** Milliseconds over 50 of each long task. */
  blocking: number
  /** The sum of layout shifts. */
  shift: number
  /** What the page threw: a widget that did not start costs nothing, and its figures mean nothing. */
  faults: string[]
}

const OBSERVE = `globalThis.costs = { blocking: 0, shift: 0 }
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) costs.blocking += Math.max(0, duration - 50) }).observe({ type: 'longtask', buffered: true })
new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) costs.shift += value }).observe({ type: 'layout-shift', buffered: true })`

const SETTLED_MS = 5_000

/** Opens a page of its own with a processor that is slowed down this many times. */
async function openSlowed(browser: Browser, times: number): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  return { page, session }
}

/** Slow 4G, as Lighthouse simulates it: 1.6 Mbit/s down, 0.75 up, 150 ms for a journey. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }

/** Loads a page with an empty cache over Slow 4G on a processor that is slowed four times. Requests to anywhere but this machine fail. */
export async function costOf(browser: Browser, address: string): Promise<PageCost> {
  const { page, session } = await openSlowed(browser, 4)
  try {
    await session.send('Performance.enable')
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
    await page.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.abort(),
    )
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message.slice(0, 200)))
    await page.addInitScript(OBSERVE)
    await page.goto(address)
    await page.waitForTimeout(SETTLED_MS)
    const { metrics } = await session.send('Performance.getMetrics')
    const script = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
    const marks = await page.evaluate<Pick<PageCost, 'blocking' | 'shift'>>('costs')
    return { ...marks, scriptMs: script * 1_000, faults }
  } finally {
    await page.context().close()
  }
}

/** Milliseconds from a press of the launcher until the panel has been drawn. */
export async function openingOf(browser: Browser, address: string, isPreloaded: boolean): Promise<number> {
  const { page, session } = await openSlowed(browser, 4)
  try {
    await session.send('Network.enable')
    await page.goto(address)
    await page.locator('button[part=launcher]').waitFor()
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
    if (isPreloaded) {
      await page.locator('button[part=launcher]').hover()
      await page.locator('dialog .composer').waitFor({ state: 'attached' })
      await page.waitForTimeout(1_000)
    }
    return await page.evaluate<number>(`new Promise((done) => {
      const hosts = () => [...document.querySelectorAll('citewell-widget')]
      const begun = performance.now()
      // Seen before a frame is drawn, its message comes when that is done.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => done(performance.now() - begun)
      const look = () => hosts().some((host) => host.shadowRoot.querySelector('dialog[open] .composer'))
        ? port2.postMessage(0) : requestAnimationFrame(look)
      hosts()[0].shadowRoot.querySelector('button').click()
      look()
    })`)
  } finally {
    await page.context().close()
  }
}

export interface Streaming {
  /** Milliseconds between frames. */
  frames: number[]
  /** Milliseconds of the work for each flush of the text: the callback of the frame, and what it caused at once. */
  flushes: number[]
  /** The same for the last frame of the answer, which brings its citations. */
  last: number
}

const COUNT_FRAMES = `globalThis.streaming = { frames: [], flushes: [], last: 0 }
const draw = requestAnimationFrame
globalThis.requestAnimationFrame = (run) => draw((time) => {
  const begun = performance.now()
  run(time)
  queueMicrotask(() => queueMicrotask(() => streaming.flushes.push(performance.now() - begun)))
})
let before
const tick = (time) => { if (before !== undefined) streaming.frames.push(time - before); before = time; draw(tick) }
globalThis.countFrames = () => draw(tick)
// The event comes when the answer is complete, before it is drawn.
document.addEventListener('citewell:answer', () => { const begun = performance.now(); queueMicrotask(() => queueMicrotask(() => (streaming.last = performance.now() - begun))) })`

/** Asks a question whose answer is streamed by whoever plays the service, and measures until it is complete. */
export async function streamingOf(browser: Browser, address: string, times: number): Promise<Streaming> {
  const { page } = await openSlowed(browser, times)
  try {
    await page.addInitScript(COUNT_FRAMES)
    await page.goto(address)
    await page.locator('button[part=launcher]').click()
    await page.locator('.composer textarea').fill('When?')
    await page.keyboard.press('Enter')
    await page.locator('.turn .answer').waitFor()
    await page.evaluate('streaming.flushes.length = 0, countFrames()')
    await page.locator('.turn .actions').waitFor({ timeout: 120_000 })
    return await page.evaluate<Streaming>('streaming')
  } finally {
    await page.context().close()
  }
}

const COUNT_INTERACTIONS = `globalThis.interactions = new Map()
new PerformanceObserver((list) => { for (const { interactionId, duration } of list.getEntries())
  if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0)) }).observe({ type: 'event', durationThreshold: 16 })`

/**
 * Uses the panel while an answer comes: types, changes to the search, searches, and back. Milliseconds until each interaction was drawn, as the
 * browser counts them for INP: in steps of 8, without those that took less than 16.
 */
export async function interactionsOf(browser: Browser, address: string, times: number): Promise<number[]> {
  const { page } = await openSlowed(browser, times)
  try {
    await page.addInitScript(COUNT_INTERACTIONS)
    await page.goto(address)
    await page.locator('button[part=launcher]').click()
    await page.locator('.composer textarea').fill('When?')
    await page.keyboard.press('Enter')
    await page.locator('.turn .answer').waitFor()
    for (let round = 0; round < 2; round++) {
      await page.locator('.composer textarea').pressSequentially('And on another system', { delay: 40 })
      await page.locator('[data-tab=search]').click()
      await page.locator('.search-field input').pressSequentially(' rotate keys', { delay: 40 })
      await page.locator('[data-tab=ask]').click()
    }
    // What is drawn is told with the next frames.
    await page.waitForTimeout(500)
    return await page.evaluate<number[]>('[...interactions.values()]')
  } finally {
    await page.context().close()
  }
}

export interface Searched {
  /** Milliseconds from a key to the frame with its results. */
  drawn: number
  /** Milliseconds of that in which the request was under way. */
  service: number
}

const TIME_SEARCHES = `globalThis.searches = []
let pressed = 0
addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), true)
// The event comes with the results, before they are drawn.
document.addEventListener('citewell:search', () => {
  const key = pressed
  const request = performance.getEntriesByType('resource').findLast(({ name, startTime }) => name.endsWith('/search') && startTime >= key)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => request && searches.push({ drawn: performance.now() - key, service: request.duration })
  requestAnimationFrame(() => port2.postMessage(0))
})`

/** Longer than the pause in typing, a request and a frame: each key is searched for. */
const BETWEEN_KEYS_MS = 600

/** Types into the search, key by key, on a processor that is slowed down this many times. */
export async function searchesOf(browser: Browser, address: string, times: number): Promise<Searched[]> {
  const { page } = await openSlowed(browser, times)
  try {
    await page.addInitScript(TIME_SEARCHES)
    await page.goto(address)
    await page.locator('button[part=launcher]').click()
    await page.locator('[data-tab=search]').click()
    await page
      .locator('.search-field input')
      .pressSequentially('rotate a key by hand', { delay: BETWEEN_KEYS_MS })
    await page.waitForTimeout(BETWEEN_KEYS_MS)
    return await page.evaluate<Searched[]>('searches')
  } finally {
    await page.context().close()
  }
}
