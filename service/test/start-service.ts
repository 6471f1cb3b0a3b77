import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../src/app/settings.ts'
import { startService, type RunningService } from '../src/app/start-service.ts'
import type { Surroundings } from '../src/app/surroundings.ts'
import type { Log } from '../src/platform/log/log.ts'
import type { Storage } from '../src/platform/storage/storage.ts'
import { createKeptParsing } from './kept-parsing.ts'
import { createKeptEmbedder, createKeptPreparing } from './kept-threads.ts'
import { openTestStorage } from './test-storage.ts'

export const OWNER_TOKEN = 'owner-token-of-the-tests'

export interface TestService extends AsyncDisposable {
  /** Its address, on a free port of 127.0.0.1. */
  address: string
  service: RunningService
  /** Its storage: to read, not to write. */
  storage: Storage
  /** Sends a request without credentials. */
  fetch(path: string, request?: RequestInit): Promise<Response>
  /** Sends a management request as the owner. */
  send(method: string, path: string, body?: unknown): Promise<Response>
  /** The same, and returns the JSON of the answer; throws on a refusal. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Queries its database. */
  rows(statement: string): Promise<Record<string, unknown>[]>
  /** Repeats a request until the answer satisfies the condition, for at most 30 s. */
  until<Answer>(path: string, isEnough: (answer: Answer) => boolean): Promise<Answer>
}

/**
 * The whole service on its own database, listening, with its workers and the real embedding model. Every answer is validated against
 * its schema.
 *
 * @param given.log to read its log lines
 * @param given.surroundings other parts, replaced: an embedder that costs nothing, say
 * @param given.storage a storage of the test; two services on one server database behave like two processes
 * @example
 * await using citewell = await startTestService({ CITEWELL_LLM_BASE_URL: fakeLlm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })
 */
export async function startTestService(
  environment: Record<string, string> = {},
  given: { storage?: Storage; log?: Log; surroundings?: Partial<Surroundings> } = {},
): Promise<TestService> {
  const storage = given.storage ?? (await openTestStorage())
  const dataDirectory = mkdtempSync(join(tmpdir(), 'citewell-service-'))
  const settings = readSettings({
    PORT: '0',
    CITEWELL_DATA_DIR: dataDirectory,
    CITEWELL_BOOTSTRAP_TOKEN: OWNER_TOKEN,
    CITEWELL_ALLOW_PRIVATE_NETWORK: 'true',
    CITEWELL_RATE_LIMITS: 'off',
    // The tests set a reader's address as a proxy on this machine would.
    CITEWELL_TRUST_PROXY: 'near',
    CITEWELL_LOG_LEVEL: 'silent',
    ...environment,
  })
  const service = await startService(settings, {
    listens: true,
    works: true,
    storage,
    log: given.log,
    surroundings: {
      createEmbedder: createKeptEmbedder,
      createParsing: createKeptParsing,
      createPreparing: createKeptPreparing,
      validatesResponses: true,
      ...given.surroundings,
    },
  })
  const address = service.address ?? ''

  const send = (method: string, path: string, body?: unknown) =>
    fetch(new URL(path, address), {
      method,
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  async function json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await send(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  return {
    address,
    service,
    storage,
    fetch: (path, request) => fetch(new URL(path, address), request),
    send,
    json,
    rows: async (statement) => (await storage.execute(statement)).rows,
    until: async <Answer>(path: string, isEnough: (answer: Answer) => boolean) => {
      const end = Date.now() + 30_000
      for (;;) {
        const answer = await json<Answer>('GET', path)
        if (isEnough(answer)) return answer
        if (Date.now() > end) throw new Error(`${path} did not come to it: ${JSON.stringify(answer)}`)
        await new Promise((wake) => {
          setTimeout(wake, 50)
        })
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        // It closes its storage too.
        await service.close()
      } finally {
        rmSync(dataDirectory, { recursive: true, force: true })
      }
    },
  }
}
