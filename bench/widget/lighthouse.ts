import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openChromium } from '../../e2e/open-chromium.ts'
import { freePort } from '../../service/test/free-port.ts'

const VERSION = '13.5.0'

/** What Lighthouse says of a load of a page, on a phone with Slow 4G, as it simulates them. */
export interface LighthouseMarks {
  /** Performance, 0 to 100. */
  points: number
  /** Total Blocking Time, in milliseconds. */
  blocking: number
  /** Cumulative Layout Shift. */
  shift: number
}

/** What of `lighthouse` is used. */
interface LighthouseModule {
  default(
    address: string,
    flags: { port: number; onlyCategories: string[]; logLevel: string },
  ): Promise<{
    lhr: {
      categories: { performance: { score: number | null } }
      audits: Record<string, { numericValue?: number } | undefined>
      runtimeError?: { message: string }
    }
  }>
}

export interface Lighthouse extends AsyncDisposable {
  measure(address: string): Promise<LighthouseMarks>
}

/**
 * Installs Lighthouse into a temporary folder, and starts a browser for it. It is no dependency: it brings 100 MB, and nothing but this
 * bench needs it. Nothing of it stays.
 */
export async function openLighthouse(): Promise<Lighthouse> {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-lighthouse-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    await promisify(execFile)('npm', [...install, `lighthouse@${VERSION}`], { cwd: folder })
    const entry = join(folder, 'node_modules/lighthouse/core/index.js')
    const { default: run } = (await import(pathToFileURL(entry).href)) as LighthouseModule
    const port = await freePort()
    const browser = await openChromium({ isWhole: true, more: [`--remote-debugging-port=${port}`] })
    return {
      measure: async (address) => {
        const { lhr } = await run(address, { port, onlyCategories: ['performance'], logLevel: 'silent' })
        if (lhr.runtimeError !== undefined) throw new Error(`Lighthouse: ${lhr.runtimeError.message}`)
        const valueOf = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN
        return {
          points: 100 * (lhr.categories.performance.score ?? Number.NaN),
          blocking: valueOf('total-blocking-time'),
          shift: valueOf('cumulative-layout-shift'),
        }
      },
      [Symbol.asyncDispose]: async () => {
        await browser.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
