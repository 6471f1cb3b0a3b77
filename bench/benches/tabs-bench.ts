import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../figure.ts'
import { startCitewell, type Citewell } from '../processes/start-citewell.ts'

/** Tabs opened before the first measurement of memory: what the service keeps for all tabs is allocated then. */
const FIRST_TABS = 20
const OPENED_AT_ONCE = 20
/** What a service needed to start is given back to the system after some time. */
const REST_MS = { quick: 5_000, whole: 25_000 } as const
const SETTLE_MS = 5_000
const TOKEN = 'a-bootstrap-token-for-benches'
const headers = { authorization: `Bearer ${TOKEN}` }

/** A tab that follows a base, as the dashboard does: how many frames it was told. */
interface Tab {
  frames: number
}

async function openTab(address: string, signal: AbortSignal): Promise<Tab> {
  const response = await fetch(address, { headers, signal })
  const reader = response.body?.getReader()
  if (response.status !== 200 || reader === undefined)
    throw new Error(`A tab was refused: ${response.status}`)
  const tab: Tab = { frames: 0 }
  /** Whether there may be more. */
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (done) return false
    tab.frames += Buffer.from(value).toString().split('data: ').length - 1
    return true
  }
  await read()
  void (async () => {
    let isOpen = true
    while (isOpen) isOpen = await read()
  })().catch(() => undefined)
  return tab
}

const residentOf = async (citewell: Citewell): Promise<number> =>
  (await citewell.metrics()).get('process_resident_memory_bytes') ?? Number.NaN

/** Many tabs of the dashboard, each with its event stream, while nothing happens and when something does. */
export const tabsBench: Bench = {
  name: 'tabs',
  run: async ({ quick, progress, signal }) => {
    const count = quick ? 200 : 1_000
    using folder = {
      path: mkdtempSync(join(tmpdir(), 'citewell-bench-')),
      [Symbol.dispose]() {
        rmSync(this.path, { recursive: true, force: true })
      },
    }
    await using citewell = await startCitewell(folder.path, { CITEWELL_BOOTSTRAP_TOKEN: TOKEN })
    const stop = new AbortController()
    const make = async (path: string, body: object) => {
      const response = await fetch(`${citewell.address}/api/v1${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return (await response.json()) as { id: string }
    }
    const { id } = await make('/knowledge-bases', { name: 'Tabs' })
    const address = `${citewell.address}/api/v1/knowledge-bases/${id}/events`
    const tabs: Tab[] = []
    async function open(number: number): Promise<void> {
      for (let at = 0; at < number; at += OPENED_AT_ONCE) {
        const opening = Array.from({ length: OPENED_AT_ONCE }, () => openTab(address, stop.signal))
        tabs.push(...(await Promise.all(opening)))
      }
    }
    await open(FIRST_TABS)
    await wait(REST_MS[quick ? 'quick' : 'whole'], undefined, { signal })
    const before = await residentOf(citewell)
    progress(`opening ${count} tabs`)
    await open(count)
    await wait(SETTLE_MS, undefined, { signal })
    const after = await residentOf(citewell)

    const told = tabs.map(({ frames }) => frames)
    const began = performance.now()
    await make(`/knowledge-bases/${id}/sources`, { type: 'push', name: 'A new source' })
    while (tabs.some(({ frames }, at) => frames === told[at])) await wait(10, undefined, { signal })
    const toldAllMs = performance.now() - began
    stop.abort()
    const what = `${count.toLocaleString('en')} tabs of one workspace`
    return [
      {
        name: `${what}: memory a tab`,
        unit: 'kB',
        n: count,
        value: (after - before) / count / 1_000,
        target: { most: 100 },
      },
      { name: `${what}: until all are told of a new source`, unit: 'ms', n: count, value: toldAllMs },
    ]
  },
}
