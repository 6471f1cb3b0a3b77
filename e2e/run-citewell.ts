import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const SERVICE = resolve(import.meta.dirname, '../service')

export interface RunningCitewell {
  address: string
  process: ChildProcess
  /** Everything it has written to standard error so far. */
  log(): string
  /** Sends a management request and reads its JSON. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** `kill -9`: the process cannot shut down cleanly. */
  kill(): Promise<void>
  stop(): Promise<number | null>
}

export const OWNER_TOKEN = 'a-bootstrap-token-for-tests'

/** Environment variable with the folder that `data-template.ts` made; empty if there is none. */
export const TEMPLATE_SETTING = 'CITEWELL_TEST_DATA_TEMPLATE'

/** Environment variable with the file of the compiled code that the services of the tests have in common (`keep-engine-code.ts`). */
export const CODE_SETTING = 'CITEWELL_TEST_ENGINE_CODE'

/** Arguments for a service of this repository; a packed one runs with what is packed. */
function keepEngineCode(folder: string): string[] {
  const file = process.env[CODE_SETTING]
  if (file === undefined || folder !== SERVICE) return []
  const program = pathToFileURL(join(import.meta.dirname, 'keep-engine-code.ts'))
  program.searchParams.set('file', file)
  return ['--import', program.href]
}

/** For tests of a first start. */
export const emptyDataDirectory = (within = tmpdir()) => mkdtempSync(join(within, 'citewell-e2e-'))

/** For a new service: with its empty database, where a template of it was made. */
export function newDataDirectory(within?: string): string {
  const directory = emptyDataDirectory(within)
  const template = process.env[TEMPLATE_SETTING]
  if (template !== undefined && template !== '')
    cpSync(template, directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return directory
}

/** Sends management requests to the service at an address, as its owner if nobody else is named. */
export const requestsTo =
  (address: string, token = OWNER_TOKEN): RunningCitewell['json'] =>
  async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

/**
 * Starts the real process on a data directory (or a PostgreSQL database), and waits until it prints its address.
 *
 * @param folder - of the service
 */
export async function startCitewell(
  settings: Record<string, string>,
  folder = SERVICE,
): Promise<RunningCitewell> {
  const child = spawn(
    process.execPath,
    [...keepEngineCode(folder), join(folder, 'bin/citewell.js'), 'serve'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: '0',
        CITEWELL_BOOTSTRAP_TOKEN: OWNER_TOKEN,
        CITEWELL_ALLOW_PRIVATE_NETWORK: 'true',
        CITEWELL_LOG_LEVEL: 'warn',
        ...settings,
      },
    },
  )
  let log = ''
  const { promise: listening, resolve: ready, reject } = Promise.withResolvers<string>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    log += `${line}\n`
    const address = /^Citewell is at (\S+)/.exec(line)?.[1]
    if (address !== undefined) ready(address)
  })
  child.once('exit', (code) => reject(new Error(`Citewell ended with ${code} before it listened:\n${log}`)))
  const address = await listening
  return {
    address,
    process: child,
    log: () => log,
    json: requestsTo(address),
    kill: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** Repeats a request every 100 ms until its answer is accepted; fails after `withinSeconds`. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
  withinSeconds: number,
): Promise<Answer> {
  const end = Date.now() + withinSeconds * 1_000
  for (;;) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    if (Date.now() > end)
      throw new Error(`Not within ${withinSeconds} s; the last answer: ${JSON.stringify(answer)}`)
    await new Promise((wake) => {
      setTimeout(wake, 100)
    })
  }
}
