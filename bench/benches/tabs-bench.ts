import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MAX_STREAMS_OF_PERSON } from '../../service/src/channels/base-events/base-events.ts'
import type { Bench } from '../figure.ts'
import { addPeople } from '../processes/add-people.ts'
import { startCitewell, type Citewell } from '../processes/start-citewell.ts'

/** Tabs opened before the first measurement of memory: what the service keeps for all tabs is allocated then. */
const FIRST_TABS = 20
const OPENED_AT_ONCE = 20
/** What a service needed to start is given back to the system after some time. */
const REST_MS = { quick: 5_000, whole: 25_000 } as const
const SETTLE_MS = 5_000
const TOKEN = 'a-bootstrap-token-for-benches'
const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })

/** A tab that follows a base, as the dashboard does: how many frames it was told. */
interface Tab {
  frames: number
}

async function openTab(address: string, token: string, signal: AbortSignal): Promise<Tab> {
  const response = await fetch(address, { headers: headersOf(token), signal })
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

/** Sends a management request of the owner. */
async function make(citewell: Citewell, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${citewell.address}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headersOf(TOKEN), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as { id: string }
}

/** A knowledge base in a new data directory. */
async function makeBase(data: string): Promise<string> {
  await using citewell = await startCitewell(data, { CITEWELL_BOOTSTRAP_TOKEN: TOKEN })
  return (await make(citewell, '/knowledge-bases', { name: 'Tabs' })).id
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
    const id = await makeBase(folder.path)
    const people = await addPeople(folder.path, Math.ceil((FIRST_TABS + count) / MAX_STREAMS_OF_PERSON))
    await using citewell = await startCitewell(folder.path, { CITEWELL_BOOTSTRAP_TOKEN: TOKEN })
    const stop = new AbortController()
    const address = `${citewell.address}/api/v1/knowledge-bases/${id}/events`
    const tabs: Tab[] = []
    async function open(number: number): Promise<void> {
      for (let at = 0; at < number; at += OPENED_AT_ONCE) {
        const opening = Array.from({ length: OPENED_AT_ONCE }, (_, next) => {
          const person = people[Math.floor((tabs.length + next) / MAX_STREAMS_OF_PERSON)] ?? ''
          return openTab(address, person, stop.signal)
        })
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
    await make(citewell, `/knowledge-bases/${id}/sources`, { type: 'push', name: 'A new source' })
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
