/**
 * Services that tests use side by side, each test file with a knowledge base or a workspace of its own: starting one takes 7 s of the processor.
 * The first file that asks for one has it started, and it runs until all tests are over, without rate limits. What changes the first owner of
 * the instance, counts over all of it or needs settings that no other test has, needs a service of its own.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OAuth2Server } from 'oauth2-mock-server'
import {
  newDataDirectory,
  OWNER_TOKEN,
  requestsTo,
  startCitewell,
  type RunningCitewell,
} from './run-citewell.ts'
import { installPackedSdk, type InstalledSdk } from './sdk/pack-sdk.ts'

/** Environment variable with the address at which the services are asked for. */
const LENDER_SETTING = 'CITEWELL_TEST_LENDER_ADDRESS'

/** What the packed SDK is asked for by. */
const SDK = 'packed SDK'

export interface SharedCitewell extends Pick<RunningCitewell, 'address' | 'json' | 'stop'> {
  /** Whose requests `json` sends. */
  token: string
  processId: number | undefined
}

/** What each kind of service has that others do not have. */
const KINDS = {
  plain: () => Promise.resolve({}),
  /** With the CAPTCHA of the service itself. */
  'proof of work': () => Promise.resolve({ CITEWELL_CAPTCHA_PROVIDER: 'altcha' }),
  /** With an identity provider that signs everyone in as `johndoe`. It ends with the process that started it. */
  'identity provider': async () => {
    const outside = new OAuth2Server()
    await outside.issuer.keys.generate('RS256')
    await outside.start(0, '127.0.0.1')
    const issuer = `http://127.0.0.1:${outside.address().port}`
    outside.issuer.url = issuer
    ending.push(() => outside.stop())
    return {
      CITEWELL_OIDC_ISSUER: issuer,
      CITEWELL_OIDC_CLIENT_ID: 'citewell',
      CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
      CITEWELL_OIDC_NAME: 'Example ID',
    }
  },
}

export type SharedKind = keyof typeof KINDS

/** What ends with the tests. */
const ending: (() => Promise<unknown>)[] = []

async function start(kind: SharedKind): Promise<RunningCitewell> {
  const settings = await KINDS[kind]()
  return await startCitewell({
    CITEWELL_DATA_DIR: newDataDirectory(),
    CITEWELL_RATE_LIMITS: 'off',
    ...settings,
  })
}

/** The first knowledge base with a document, which the demo page of a service shows to its own machine whatever others there are. */
async function makeFirstBase({ json }: RunningCitewell): Promise<void> {
  const base = await json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Citewell' })
  const source = await json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'guide',
  })
  await json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'backup',
        title: 'Backups',
        url: 'https://docs.example.com/backups',
        markdown: 'To make a backup, stop the service and copy the data directory.',
      },
    ],
  })
}

/** Runs once before the tests: lends services to the processes of the tests. */
export async function setup(): Promise<void> {
  const started = new Map<string, Promise<object>>()
  async function startOnce(kind: SharedKind) {
    const citewell = await start(kind)
    ending.push(() => citewell.stop())
    // Where the tests are broken off, it does not go on alone.
    process.once('exit', () => citewell.process.kill('SIGKILL'))
    if (kind === 'plain') await makeFirstBase(citewell)
    return { address: citewell.address, processId: citewell.process.pid }
  }
  async function installSdk() {
    const installed = await installPackedSdk()
    ending.push(() => Promise.resolve(installed[Symbol.dispose]()))
    return { folder: installed.folder }
  }
  const lender = createServer((request, response) => {
    const kind = decodeURIComponent(request.url?.slice(1) ?? '')
    const known = started.get(kind) ?? (kind === SDK ? installSdk() : startOnce(kind as SharedKind))
    started.set(kind, known)
    known.then(
      (lent) => response.end(JSON.stringify(lent)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  lender.listen(0, '127.0.0.1')
  await once(lender, 'listening')
  ending.push(() => {
    lender.closeAllConnections()
    return Promise.resolve(lender.close())
  })
  process.env[LENDER_SETTING] = `http://127.0.0.1:${(lender.address() as AddressInfo).port}/`
}

export async function teardown(): Promise<void> {
  for (const end of ending.splice(0).toReversed()) await end()
}

async function borrow(lender: string, kind: string): Promise<unknown> {
  const response = await fetch(new URL(encodeURIComponent(kind), lender))
  if (!response.ok) throw new Error(await response.text())
  return await response.json()
}

/** The shared service of a kind, or one of one's own outside of the tests. */
export async function openSharedCitewell(kind: SharedKind = 'plain'): Promise<SharedCitewell> {
  const lender = process.env[LENDER_SETTING]
  if (lender === undefined) {
    const { address, json, process: child, stop } = await start(kind)
    return { address, json, token: OWNER_TOKEN, processId: child.pid, stop }
  }
  const { address, processId } = (await borrow(lender, kind)) as { address: string; processId: number }
  return {
    address,
    json: requestsTo(address),
    token: OWNER_TOKEN,
    processId,
    stop: () => Promise.resolve(null),
  }
}

/** The packed SDK, installed once for all tests: two that build it at the same time would write into each other's files. */
export async function openSharedSdk(): Promise<InstalledSdk> {
  const lender = process.env[LENDER_SETTING]
  if (lender === undefined) return await installPackedSdk()
  const { folder } = (await borrow(lender, SDK)) as { folder: string }
  return { folder, [Symbol.dispose]: () => undefined }
}
