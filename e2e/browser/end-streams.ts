import type { Page } from 'playwright-core'

/** Addresses of the event streams that a page follows. */
export const STREAMS = /\/api\/v1\/knowledge-bases\/[^/]+\/events$/

/**
 * Lets the event streams of a page end immediately, as long as the result is not disposed: with one open, the network of the page is never
 * idle.
 */
export async function endStreams(page: Page): Promise<AsyncDisposable> {
  return await page.route(STREAMS, (route) =>
    route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' }),
  )
}
