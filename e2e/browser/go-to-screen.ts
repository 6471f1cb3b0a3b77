import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

/** How long the network is still before a screen counts as loaded. Playwright waits for half a second, which is most of the time of a screen. */
const STILL_MS = 200

/** Does something in a page, and waits until it has asked nothing for a while. Playwright itself tells that of a new page only. */
async function untilStill(page: Page, act: () => Promise<unknown>): Promise<void> {
  const asked = new Set<Request>()
  let since = performance.now()
  const asks = (request: Request) => asked.add(request)
  const got = (request: Request) => {
    asked.delete(request)
    since = performance.now()
  }
  page.on('request', asks).on('requestfinished', got).on('requestfailed', got)
  try {
    await act()
    since = performance.now()
    while (asked.size > 0 || performance.now() - since < STILL_MS) await sleep(50)
  } finally {
    page.off('request', asks).off('requestfinished', got).off('requestfailed', got)
  }
}

/** Goes to a screen of the dashboard as a link in it does: the page stays, and what it remembers. */
export async function goTo(page: Page, path: string): Promise<void> {
  // The router shows itself to its own tools by this name.
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
  await page.waitForFunction(
    `(({ status, location, resolvedLocation }) => status === 'idle' && resolvedLocation.href === location.href)(__TSR_ROUTER__.state)`,
  )
}

/**
 * Goes to a screen of the dashboard as a link in it does, and waits until everything on it is there. Opening each by its address takes three
 * times as much of the processor: a new page compiles the dashboard again, and what looks for faults.
 */
export async function goToScreen(page: Page, path: string): Promise<void> {
  await untilStill(page, async () => await goTo(page, path))
}
