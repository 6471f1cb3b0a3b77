import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../service/src/content/connectors/connectors.ts'

/** A Chromium as readers have it. */
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Opens the Chromium that the service renders pages with; `isWhole`: one with a history cache, and with the timings of a reader's. */
export async function openChromium({
  isWhole = false,
  more = [],
  ...options
}: { ignoreDefaultArgs?: string[]; isWhole?: boolean; more?: string[] } = {}): Promise<Browser> {
  const executablePath = isWhole ? WHOLE.find((path) => existsSync(path)) : await findChromium(undefined)
  if (executablePath === undefined) throw new Error('Install chromium.')
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', ...more],
    ...options,
  })
}
