import { createFairSemaphore } from '../../../platform/fairness/fair-semaphore.ts'
import type { Owner } from '../../../platform/fairness/owner.ts'
import { startBrowser, type Browser } from './browser.ts'
import type { SandboxSetting } from './browser-command.ts'

/** The browser of this process: started when a page needs it, and closed after some idle time. */
export interface SharedBrowser {
  /** Waits for a slot, shared fairly among workspaces and bases, and uses the browser in it. */
  use<Result>(owner: Owner, signal: AbortSignal, work: (browser: Browser) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Maximum concurrent pages: a page takes a processor while its scripts run. */
const SLOTS = 2

const IDLE_MS = 30_000

/** A browser that rendered this many pages is restarted, to discard whatever they left in it. */
const MAX_PAGES = 200

interface Running {
  starting: Promise<Browser>
  pages: number
  open: number
  isRetired: boolean
  idle: NodeJS.Timeout | undefined
}

export function createSharedBrowser(given: {
  chromiumPath: string | undefined
  sandbox: SandboxSetting
  idleMs?: number
}): SharedBrowser {
  const places = createFairSemaphore({ places: SLOTS })
  const all = new Set<Running>()
  let current: Running | undefined
  let isClosed = false

  async function retire(running: Running): Promise<void> {
    running.isRetired = true
    if (current === running) current = undefined
    if (running.open > 0 || !all.delete(running)) return
    clearTimeout(running.idle)
    const browser = await running.starting.catch(() => undefined)
    await browser?.close()
  }

  function start(): Running {
    const running: Running = {
      starting: startBrowser(given),
      pages: 0,
      open: 0,
      isRetired: false,
      idle: undefined,
    }
    running.starting.catch(() => {})
    all.add(running)
    return running
  }

  return {
    use: async (owner, signal, work) => {
      const leave = await places.acquire(owner, signal)
      try {
        if (isClosed) throw new Error('The browser is closed.')
        const running = (current ??= start())
        clearTimeout(running.idle)
        running.pages += 1
        running.open += 1
        try {
          const browser = await running.starting
          signal.throwIfAborted()
          return await work(browser)
        } finally {
          running.open -= 1
          const browser = await running.starting.catch(() => undefined)
          const isSpent = browser?.isRunning() !== true || running.pages >= MAX_PAGES
          if (isSpent || running.isRetired) await retire(running)
          else if (running.open === 0) {
            running.idle = setTimeout(() => void retire(running).catch(() => {}), given.idleMs ?? IDLE_MS)
            running.idle.unref()
          }
        }
      } finally {
        leave()
      }
    },
    close: async () => {
      isClosed = true
      for (const running of all) {
        running.open = 0
        await retire(running)
      }
    },
  }
}
