import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { KyselyPlugin } from 'kysely'
import type { Storage } from '../../src/platform/storage/storage.ts'

/** The end of a process at a chosen moment: from then on none of its statements and requests has an effect. */
export interface Crash {
  isDead: boolean
  /** What has come since `arm`, in its order. */
  moments: string[]
  /** It ends at the moment of this number, from 1. Without it, it lives. */
  arm(at: number): void
  /** Passes a moment. Returns whether the process has ended at it, or before. */
  passes(what: string): boolean
}

export function createCrash(): Crash {
  let end: number | undefined
  const crash: Crash = {
    isDead: false,
    moments: [],
    arm: (at) => {
      end = at
    },
    passes: (what) => {
      if (crash.isDead || end === undefined) return crash.isDead
      crash.moments.push(what)
      crash.isDead = crash.moments.length === end
      return crash.isDead
    },
  }
  return crash
}

/** Everything that is stored between what a platform delivers and what it gets. */
const TABLES = [
  'platform_events',
  'platform_posts',
  'platform_conversations',
  'helpdesk_tickets',
  'helpdesk_polls',
  'messages',
  'approvals',
  'webhook_deliveries',
]

/** The storage of a process that ends: a transaction that is open then is rolled back. */
export function storageUntil(crash: Crash, storage: Storage): Storage {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const text = JSON.stringify(node)
      const table = TABLES.find((name) => text.includes(`"name":"${name}"`))
      const kind = node.kind.replace('QueryNode', '').toLowerCase()
      if (table === undefined ? crash.isDead : crash.passes(`before ${kind} ${table}`))
        throw new Error('The process has ended.')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  // A process closes its storage; that of the test goes on.
  return { ...storage, db: storage.db.withPlugin(plugin), close: () => Promise.resolve() }
}

export interface CrashProxy extends AsyncDisposable {
  origin: string
  /** The process whose requests come from now on. */
  use(crash: Crash): void
}

const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])

/**
 * Stands before a platform. A request is two moments: before the platform has it, and before its answer arrives.
 *
 * @param isMoment false for a request that only waits for what happens
 */
export async function startCrashProxy(
  platform: string,
  isMoment: (path: string) => boolean = () => true,
): Promise<CrashProxy> {
  let crash = createCrash()
  const sockets = new Set<Duplex>()

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '/' } = request
    const { pathname } = new URL(url, platform)
    const what = `${method} ${pathname.split('/').slice(-2).join('/')}`
    const ends = (moment: string) => (isMoment(pathname) ? crash.passes(moment) : crash.isDead)
    if (ends(`before ${what}`)) return void response.destroy()
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name))
    const answer = await fetch(new URL(url, platform), {
      method,
      headers: headers.map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const origin = `http://${request.headers.host}`
    // It tells of further addresses of its own.
    const body = (await answer.text()).replaceAll(new URL(platform).origin, origin)
    if (ends(`after ${what}`)) return void response.destroy()
    const answered = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name))
    response.writeHead(answer.status, Object.fromEntries(answered)).end(body)
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request: IncomingMessage, near: Duplex, head: Buffer) => {
    const { hostname, port, host } = new URL(platform)
    const far = connect(Number(port), hostname, () => {
      const lines = Object.entries({ ...request.headers, host }).map(
        ([name, value]) => `${name}: ${String(value)}`,
      )
      far.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      far.write(head)
      near.pipe(far).pipe(near)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => {
      crash = next
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
