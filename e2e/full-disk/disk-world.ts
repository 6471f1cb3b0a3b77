import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk } from '../../service/test/small-disk.ts'
import { newDataDirectory, OWNER_TOKEN, startCitewell, until, type RunningCitewell } from '../run-citewell.ts'

/** Timeout of a request in milliseconds, whatever the state of the disk. */
const ANSWER_TIMEOUT_MS = 15_000

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** The real process on a separate small disk, and what it has acknowledged. */
export interface DiskWorld extends AsyncDisposable {
  disk: SmallDisk
  citewell(): RunningCitewell
  /** Fails if the request times out. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends one document, and remembers it if it was acknowledged. */
  push(words: string): Promise<Answer>
  /** Names of acknowledged documents that are missing. */
  lost(): Promise<string[]>
  /** Deletes the other program's file, and waits until the storage has its reserve again. */
  free(): Promise<void>
  /** Sends documents until one is refused. */
  pushUntilRefused(): Promise<Answer>
  acknowledged(): number
  /** Deletes an acknowledged document. */
  removeOne(): Promise<Answer>
  search(): Promise<Answer>
  ask(): Promise<Answer>
  /** `meanwhile` runs between the stop and the new start. */
  restart(how: 'kill' | 'stop', meanwhile: () => void): Promise<void>
}

/** Undefined if this user may not mount a small disk. */
export async function startDiskWorld(megabytes: number): Promise<DiskWorld | undefined> {
  const disk = mountSmallDisk(megabytes)
  if (disk === undefined) return undefined
  const data = newDataDirectory(disk.directory)
  const settings = { CITEWELL_DATA_DIR: data, CITEWELL_RATE_LIMITS: 'off' }
  let running = await startCitewell(settings).catch((error: unknown) => {
    disk[Symbol.dispose]()
    throw error
  })
  /** Document ids by the external ids that they were sent with. */
  const known = new Map<string, string>()
  let sent = 0

  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const late = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const fail = (error: unknown): never => {
      const lastLines = running.log().split('\n').slice(-20).join('\n')
      throw new Error(`${method} ${path} got no answer; the last of the log:\n${lastLines}`, { cause: error })
    }
    const response = await fetch(new URL(path, running.address), {
      method,
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: late,
    }).catch(fail)
    const text = await response.text().catch(fail)
    return answerOf(response.status, text)
  }

  const made = await running.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Full disk' })
  const baseId = made.id
  const source = await running.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/sources`, {
    type: 'push',
    name: 'sent',
    config: {},
  })

  async function push(words: string): Promise<Answer> {
    sent += 1
    const id = `document-${sent}`
    const answer = await send('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [
        { external_id: id, url: `https://docs.example.com/${id}`, title: `Valve ${sent}`, markdown: words },
      ],
    })
    const [pushed] = (answer.body['documents'] ?? []) as { id: string }[]
    if (answer.status === 200 && pushed !== undefined) known.set(id, pushed.id)
    return answer
  }

  async function lost(): Promise<string[]> {
    const there = new Set<string>()
    let cursor: string | undefined
    do {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await send('GET', `/api/v1/knowledge-bases/${baseId}/documents?limit=200${query}`)
      for (const { id } of body['data'] as { id: string }[]) there.add(id)
      cursor = (body['next_cursor'] as string | null) ?? undefined
    } while (cursor !== undefined)
    return [...known].flatMap(([name, id]) => (there.has(id) ? [] : [name]))
  }

  return {
    disk,
    citewell: () => running,
    send,
    push,
    lost,
    free: async () => {
      disk.free()
      const reserves = ['database-reserve-1', 'database-reserve-2'].map((name) => join(data, name))
      const areThere = () => Promise.resolve(reserves.every((file) => existsSync(file)))
      await until(areThere, (isThere) => isThere, 60)
    },
    pushUntilRefused: async () => {
      for (;;) {
        const answer = await push(wordsOf(sent))
        if (answer.status !== 200) return answer
      }
    },
    acknowledged: () => known.size,
    removeOne: async () => {
      const [id] = known.keys()
      const answer = await send('DELETE', `/api/v1/sources/${source.id}/documents/${id}`)
      if (answer.status === 204 && id !== undefined) known.delete(id)
      return answer
    },
    search: () =>
      send('POST', `/api/v1/knowledge-bases/${baseId}/search`, { query: 'How is the valve opened?' }),
    ask: () => send('POST', `/api/v1/knowledge-bases/${baseId}/chat`, { query: 'How is the valve opened?' }),
    restart: async (how, meanwhile) => {
      if (how === 'kill') await running.kill()
      else {
        const startedAt = Date.now()
        await running.stop()
        if (Date.now() - startedAt > ANSWER_TIMEOUT_MS) throw new Error('It took too long to stop.')
      }
      meanwhile()
      running = await startCitewell(settings)
      await until(
        () => send('GET', '/readyz'),
        ({ status }) => status === 200,
        60,
      )
    },
    [Symbol.asyncDispose]: async () => {
      if (running.process.exitCode === null && running.process.signalCode === null) await running.kill()
      disk[Symbol.dispose]()
    },
  }
}

/** A stream is judged by its last frame: one that ends with an error counts as a refused request. */
function answerOf(status: number, text: string): Answer {
  const last = text.startsWith('data: ') ? text.trimEnd().split('\n\n').at(-1)?.slice('data: '.length) : text
  const body = last === undefined || last === '' ? {} : (JSON.parse(last) as Record<string, unknown>)
  return { status: status === 200 && 'error' in body ? 503 : status, body }
}

/** About 4 kB of different words, which take 40 to 60 kB with their index. */
function wordsOf(seed: number): string {
  const paragraphs = Array.from({ length: 4 }, (_, paragraph) =>
    Array.from(
      { length: 120 },
      (_, word) => `valve${((seed * 7_919 + paragraph * 131 + word * 17) % 99_991).toString(36)}`,
    ).join(' '),
  )
  return paragraphs.join('\n\n')
}
