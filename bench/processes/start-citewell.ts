import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The service, run as by a user. */
export interface Citewell extends AsyncDisposable {
  address: string
  pid: number
  /** Milliseconds from starting the process until it printed its address. */
  startMs: number
  /** Metrics of `/metrics` by name, without labels. Reading them also resets the histogram of the event loop. */
  metrics(): Promise<ReadonlyMap<string, number>>
}

const MAIN = join(import.meta.dirname, '../../service/bin/citewell.js')
/** Only what a run requires is set; everything else is the default. */
const SETTINGS = { PORT: '0', CITEWELL_RATE_LIMITS: 'off', CITEWELL_LOG_LEVEL: 'error' }
const START_LIMIT_MS = 120_000
/** A service that was not stopped cleanly takes longer to start. */
const STOP_LIMIT_MS = 10_000

/** Settings for keyword search only: a folder without a model. */
export const WITHOUT_EMBEDDING = { CITEWELL_EMBEDDING_MODEL: join(import.meta.dirname, 'no-model-here') }

/** Starts `citewell serve` on a data directory, and waits until it listens. */
export async function startCitewell(
  data: string,
  environment: Record<string, string> = {},
): Promise<Citewell> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...SETTINGS,
      CITEWELL_DATA_DIR: data,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await once(child, 'exit')
    clearTimeout(timer)
  }
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`Citewell ${why}:\n${said.join('\n')}`))
    const timer = setTimeout(fail, START_LIMIT_MS, 'did not start in time')
    const listen = (line: string) => {
      said.push(line)
      const found = /Citewell is at (\S+)/.exec(line)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    }
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', listen)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    address,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    metrics: async () => {
      const text = await (await fetch(new URL('/metrics', address))).text()
      return new Map(
        [...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
      )
    },
    [Symbol.asyncDispose]: stop,
  }
}
