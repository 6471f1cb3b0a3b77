import type { Page } from 'playwright-core'

const COUNT_INTERACTIONS = `globalThis.interactions = new Map()
new PerformanceObserver((list) => { for (const { interactionId, duration, name, target } of list.getEntries())
  if (interactionId > 0 && duration > (interactions.get(interactionId)?.duration ?? 0))
    interactions.set(interactionId, { duration, what: name + ' ' + (target?.getAttribute?.('aria-label') ?? target?.textContent ?? '').slice(0, 40) })
}).observe({ type: 'event', durationThreshold: 16 })`

export interface Interaction {
  /** Milliseconds until it was drawn, in steps of 8. */
  duration: number
  what: string
}

/** What a person does on the screens that most is done on, on a processor that is this many times slower. */
export async function interactionsOf(
  page: Page,
  address: (path: string) => string,
  { base, times }: { base: string; times: number },
): Promise<Interaction[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  try {
    await page.addInitScript(COUNT_INTERACTIONS)
    await page.goto(address(`/kb/${base}/documents`))
    await page.getByRole('region', { name: 'Documents' }).getByRole('link').first().waitFor()
    await page.getByRole('searchbox').pressSequentially('page-1', { delay: 60 })
    await page.getByLabel('Order').selectOption('-chunk_count')
    await page.getByRole('checkbox', { name: /^Choose all/ }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').pressSequentially('analytics', { delay: 60 })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
    for (const screen of ['Sources', 'Widgets', 'MCP servers', 'Overview'])
      await page
        .getByRole('navigation', { name: 'Knowledge base' })
        .getByRole('link', { name: screen, exact: true })
        .click()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Description').pressSequentially('About keys', { delay: 60 })
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.waitForTimeout(1_000)
    return await page.evaluate<Interaction[]>('[...interactions.values()]')
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await session.detach()
  }
}

/** Milliseconds from pressing a link of the list of screens until the heading of that screen is drawn, its data being there already. */
export async function navigationsOf(
  page: Page,
  screens: readonly string[],
  rounds: number,
): Promise<{ screen: string; ms: number }[]> {
  const go = async (name: string) =>
    await page.evaluate<number>(`new Promise((done) => {
      const { port1, port2 } = new MessageChannel()
      const begun = performance.now()
      port1.onmessage = () => done(performance.now() - begun)
      const link = [...document.querySelectorAll('nav[aria-label="Knowledge base"] a')].find((one) => one.textContent === ${JSON.stringify(name)})
      const look = () => link.getAttribute('aria-current') === 'page' && document.querySelector('h1')?.textContent === ${JSON.stringify(name)}
        ? port2.postMessage(0) : requestAnimationFrame(look)
      link.click()
      look()
    })`)
  for (const screen of screens) {
    await go(screen)
    await page.waitForTimeout(500)
  }
  const times: { screen: string; ms: number }[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const screen of screens) {
      times.push({ screen, ms: await go(screen) })
      await page.waitForTimeout(100)
    }
  return times
}

/** Milliseconds of each frame while the documents are scrolled to the last one, a few rows a frame. */
export async function framesOfScrolling(page: Page): Promise<number[]> {
  await page.getByRole('region', { name: 'Documents' }).getByRole('link').first().waitFor()
  return await page.evaluate<number[]>(`(async () => {
    const place = document.querySelector('[role=region][aria-label=Documents]')
    const frames = []
    const end = performance.now() + 90_000
    let before = performance.now()
    let still = 0
    while (performance.now() < end && still < 240) {
      const top = place.scrollTop
      place.scrollTop += 400
      await new Promise((wake) => requestAnimationFrame(wake))
      const now = performance.now()
      frames.push(now - before)
      before = now
      still = place.scrollTop === top ? still + 1 : 0
    }
    return frames
  })()`)
}
