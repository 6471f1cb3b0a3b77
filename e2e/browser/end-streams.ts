import type { Page } from 'playwright-core'

/** Lets the event streams of a page end at once: with one open, the network of the page is never idle. */
export async function endStreams(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/knowledge-bases\/[^/]+\/events$/, (route) =>
    route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' }),
  )
}
