import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { findChromium } from '../service/src/content/connectors/connectors.ts'

/** A Chromium as readers have it. */
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

interface ChromiumOptions {
  ignoreDefaultArgs?: string[]
  isWhole?: boolean
  more?: string[]
}

async function launch({ isWhole = false, more = [], ...options }: ChromiumOptions): Promise<Browser> {
  const executablePath = isWhole ? WHOLE.find((path) => existsSync(path)) : await findChromium(undefined)
  if (executablePath === undefined) throw new Error('Install chromium.')
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', ...more],
    ...options,
  })
}

/** The one that the test files of a process use, one after the other: launching it takes a second of the processor. It ends with the process. */
let kept: Promise<Browser> | undefined

/**
 * Opens the Chromium that the service renders pages with. `isWhole`: one with a history cache, and with the timings of a reader's. One with
 * options, or outside of the tests, is launched for its user alone.
 */
export async function openChromium(options: ChromiumOptions = {}): Promise<Browser> {
  if (Object.keys(options).length > 0 || process.env['VITEST'] === undefined) return await launch(options)
  const known = await kept?.catch(() => undefined)
  return lend(known?.isConnected() === true ? known : await (kept = launch({})))
}

/** For one user, whose contexts end with it: cookies, storage, cache and connections of a context are in no other one. */
function lend(browser: Browser): Browser {
  const contexts = new Set<BrowserContext>()
  const own = {
    contexts: () => [...contexts],
    newContext: async (...given: Parameters<Browser['newContext']>) => {
      const context = await browser.newContext(...given)
      contexts.add(context)
      context.once('close', () => contexts.delete(context))
      return context
    },
    newPage: async (...given: Parameters<Browser['newPage']>) => {
      const page = await browser.newPage(...given)
      const context = page.context()
      contexts.add(context)
      context.once('close', () => contexts.delete(context))
      return page
    },
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
  return new Proxy(browser, {
    get: (whole, name) => {
      if (name === Symbol.asyncDispose) return own.close
      const value: unknown = Reflect.get(name in own ? own : whole, name)
      return typeof value === 'function' ? value.bind(whole) : value
    },
  })
}
