import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { newDataDirectory, startCitewell } from '../run-citewell.ts'
import { openSharedCitewell, type SharedCitewell, type SharedKind } from '../shared-citewell.ts'

const DEMO = resolve(import.meta.dirname, '../../widget/demo')

/** What the knowledge base of the tests knows. */
const DOCUMENTS = [
  {
    external_id: 'keys',
    title: 'Rotating keys',
    url: 'https://docs.example.com/keys',
    markdown:
      '# Rotating keys\n\n## Rotation\n\nKeys are rotated every day at midnight, UTC. The old key stops working within a minute.\n\n## By hand\n\nTo rotate a key by hand, run `acme keys rotate`:\n\n```sh\nacme keys rotate --client web\n```\n',
  },
  {
    external_id: 'webhooks',
    title: 'Webhooks',
    url: 'https://docs.example.com/webhooks',
    markdown:
      '# Webhooks\n\nEach rotation of a key sends the event `key.rotated` to your webhooks. A delivery that fails is repeated three times.\n',
  },
  {
    external_id: 'limits',
    title: 'Limits',
    url: 'https://docs.example.com/limits',
    markdown:
      '# Limits\n\nA client can rotate its keys ten times an hour. After that the service answers with 429.\n',
  },
]

/** Answers a request in place of the service, or returns false to let it through. */
export type Script = (request: IncomingMessage, response: ServerResponse) => boolean

export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** A server of 127.0.0.1 that closes with its connections. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Stands between pages and the service: writes down what pages ask, and plays what the service cannot be made to do. */
async function startBetween(address: string) {
  const seen: Seen[] = []
  let script: Script | undefined
  let isDown = false
  const server = await listen((request, response) => {
    if (isDown) {
      request.destroy()
      return
    }
    const seenNow: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: '',
    }
    seen.push(seenNow)
    if (request.method !== 'OPTIONS' && script?.(request, response)) {
      request.on('data', (bytes: Buffer) => (seenNow.body += bytes.toString()))
      return
    }
    const onward = send(
      new URL(request.url ?? '/', address),
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.on('data', (bytes: Buffer) => {
      seenNow.body += bytes.toString()
      onward.write(bytes)
    })
    request.on('end', () => onward.end())
    response.on('close', () => onward.destroy())
  })
  return {
    ...server,
    seen,
    play: (next: Script | undefined) => (script = next),
    setDown: (down: boolean) => (isDown = down),
  }
}

export interface WidgetWorld {
  citewell: Pick<SharedCitewell, 'address' | 'json' | 'stop'>
  /** Where pages reach the service. */
  service: Awaited<ReturnType<typeof startBetween>>
  base: { id: string; client_key: { id: string; key: string } }
  /** Origin of the pages: another one than that of the service. */
  pages: { origin: string; set(path: string, body: string, headers?: Record<string, string>): void }
  /** A page with the tag, at its own path. Attributes without `data-`. */
  page(
    attributes: Record<string, string>,
    more?: { markup?: string; headers?: Record<string, string> },
  ): string
  stop(): Promise<void>
}

/**
 * A service with a small knowledge base, and a documentation site at another origin.
 *
 * @param given - the kind of the shared service, or the settings of a service of its own
 */
export async function startWidgetWorld(
  given: SharedKind | Record<string, string> = 'plain',
): Promise<WidgetWorld> {
  const citewell =
    typeof given === 'string'
      ? await openSharedCitewell(given)
      : await startCitewell({
          CITEWELL_DATA_DIR: newDataDirectory(),
          CITEWELL_RATE_LIMITS: 'off',
          ...given,
        })
  const base = await citewell.json<WidgetWorld['base']>('POST', '/api/v1/knowledge-bases', {
    name: 'Acme docs',
  })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'pages',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents: DOCUMENTS })
  await citewell.json('PATCH', `/api/v1/knowledge-bases/${base.id}`, {
    starter_questions: {
      mode: 'own',
      questions: ['When are keys rotated?', 'What happens after a rotation?'],
    },
  })
  const service = await startBetween(citewell.address)
  const bodies = new Map<string, { body: string; headers: Record<string, string> }>()
  const site = await listen((request, response) => {
    const path = request.url?.split(/[?#]/)[0] ?? '/'
    const page = bodies.get(path)
    if (page) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
      response.end(page.body)
      return
    }
    readFile(join(DEMO, path.slice(1))).then(
      (bytes) => response.writeHead(200, { 'content-type': 'text/css' }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  const template = await readFile(join(DEMO, 'documentation-page.html'), 'utf8')
  let count = 0
  return {
    citewell,
    service,
    base,
    pages: {
      origin: site.origin,
      set: (path, body, headers = {}) => bodies.set(path, { body, headers }),
    },
    page: (attributes, { markup = '', headers = {} } = {}) => {
      const written = Object.entries(attributes)
        .map(([name, value]) => `data-${name}="${value.replaceAll('"', '&quot;')}"`)
        .join(' ')
      const path = `/page-${count++}`
      const tag = `${markup}<script src="${service.origin}/widget.js" async ${written}></script>`
      bodies.set(path, { body: template.replace('<!-- citewell -->', tag), headers })
      return `${site.origin}${path}`
    },
    stop: async () => {
      service.close()
      site.close()
      await citewell.stop()
    },
  }
}

/** Plays a chat: frames, with pauses in milliseconds and promises that are waited for between them. Ends the stream where the frames end. */
export function playChat(frames: readonly (object | number | Promise<void>)[], isCut = false): Script {
  return (request, response) => {
    if (request.method !== 'POST' || request.url?.endsWith('/chat') !== true) return false
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    })
    void (async () => {
      for (const frame of frames)
        if (typeof frame === 'number')
          await new Promise((wake) => {
            setTimeout(wake, frame)
          })
        else if (frame instanceof Promise) await frame
        else if (!response.destroyed) response.write(`data: ${JSON.stringify(frame)}\n\n`)
      if (isCut) response.destroy()
      else response.end()
    })()
    return true
  }
}

/** Plays a refusal of a chat. */
export function playRefusal(status: number, body: object, headers: Record<string, string> = {}): Script {
  return (request, response) => {
    if (request.method !== 'POST' || request.url?.endsWith('/chat') !== true) return false
    response.writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
      ...headers,
    })
    response.end(JSON.stringify({ request_id: 'request-1', retryable: false, ...body }))
    return true
  }
}

export const CITATION = {
  index: 1,
  title: 'Rotating keys',
  url: 'https://docs.example.com/keys#rotation',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-9b11-7a02-8c4d-1e7f3b5a9d26',
  heading_path: ['Keys', 'Rotation'],
  excerpt: 'Keys are rotated every day at midnight, UTC.',
}

/** The frames of an answer in pieces. */
export const answerFrames = (text: string, more: object = {}, pauseMs = 0): (object | number)[] => [
  { citations: [CITATION], done: false },
  ...(text.match(/[^]{1,12}/g) ?? []).flatMap((delta) =>
    pauseMs > 0 ? [pauseMs, { delta, done: false }] : [{ delta, done: false }],
  ),
  {
    done: true,
    thread_id: '5f0c8a5e-3b1d-4c86-9b53-0d7c1d6f2a94',
    message_id: 'c1a6e1de-7f7b-4f0e-8b0a-92b6f6a6f5b3',
    citations: [CITATION],
    covered: true,
    confidence: 0.9,
    ...more,
  },
]
