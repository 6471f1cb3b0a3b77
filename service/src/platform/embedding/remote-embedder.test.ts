import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseJson } from '../../kernel/json.ts'
import { createEmbedder } from './create-embedder.ts'
import { OutboundFailure } from '../outbound/outbound-failure.ts'
import { createRemoteEmbedder } from './remote-embedder.ts'

interface Asked {
  url: string | undefined
  authorization: string | undefined
  body: { model: string; input: string[] }
}
type Answer = (asked: Asked, response: ServerResponse) => void

let server: Server
let baseUrl: string
let asked: Asked[]
/** Responses to the next requests; after them, vectors. */
let planned: Answer[]

/** A response as documented, with the vectors in reverse order, which is allowed: [length of the text, 1, 0]. */
const answerWithVectors: Answer = ({ body }, response) => {
  const data = body.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [text.length, 1, 0],
  }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: body.model, usage: {} }))
}
const refuse =
  (status: number, headers: Record<string, string> = {}, body = '{"error":{"message":"not now"}}'): Answer =>
  (_asked, response) => {
    response.writeHead(status, headers).end(body)
  }

async function answer(request: IncomingMessage, response: ServerResponse) {
  const body = parseJson(await readText(request)) as Asked['body']
  const one = { url: request.url, authorization: request.headers.authorization, body }
  asked.push(one)
  ;(planned.shift() ?? answerWithVectors)(one, response)
}

beforeEach(async () => {
  asked = []
  planned = []
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
})
afterEach(() => void server.close())

let waits: number[]
beforeEach(() => (waits = []))
const deps = {
  fetch: globalThis.fetch,
  wait: (milliseconds: number, signal: AbortSignal) => {
    waits.push(milliseconds)
    return signal.aborted ? Promise.reject(signal.reason) : Promise.resolve()
  },
}
const open = () => createRemoteEmbedder({ baseUrl, apiKey: 'secret', model: 'embed-1' }, deps)

const unit = (length: number) => {
  const norm = Math.hypot(length, 1)
  return [length / norm, 1 / norm, 0].map((value) => expect.closeTo(value, 5))
}

describe('an OpenAI-compatible service', () => {
  it('is called as documented, and its dimensions are determined first', async () => {
    const embedder = await open()
    expect(embedder.dimensions).toBe(3)
    expect(embedder.key).toBe(`embed-1@${new URL(baseUrl).host}:3`)
    expect([...(await embedder.embedQuery('four'))]).toEqual(unit(4))
    expect(asked[1]).toEqual({
      url: '/v1/embeddings',
      authorization: 'Bearer secret',
      body: { model: 'embed-1', input: ['four'] },
    })
  })

  it('receives passages in batches of 32, and the vectors keep their order', async () => {
    const embedder = await open()
    const texts = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index + 1))
    const vectors = await embedder.embedPassages(texts)
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map((text) => unit(text.length)))
    expect(asked.slice(1).every(({ body }) => body.input.length <= 32)).toBe(true)
    expect(asked).toHaveLength(1 + 10)
  })

  it('receives neither empty texts nor texts over the maximum length', async () => {
    const embedder = await open()
    await embedder.embedPassages(['', '中'.repeat(5_000)])
    const [empty, long] = asked[1]?.body.input ?? []
    expect(empty).toBe(' ')
    expect(embedder.countTokens(long ?? '')).toBeLessThanOrEqual(embedder.maxTokens)
    expect(long).toMatch(/^中+$/)
    expect(await embedder.embedPassages([])).toEqual([])
  })

  it('is asked only once for the vector of a question', async () => {
    const embedder = await open()
    await embedder.embedQuery('again')
    await embedder.embedQuery('again')
    expect(asked).toHaveLength(2)
  })
})

describe('a failing embedding service', () => {
  it('is asked again after the delay that it gives', async () => {
    const embedder = await open()
    planned = [refuse(429, { 'retry-after': '2' }), refuse(503), refuse(429, { 'retry-after': '86400' })]
    expect(await embedder.embedPassages(['text'])).toHaveLength(1)
    expect(waits).toHaveLength(3)
    expect(waits[0]).toBe(2_000)
    expect(waits[1]).toBeLessThanOrEqual(1_000)
    expect(waits[2]).toBe(30_000)
  })

  it('is asked again after a broken connection', async () => {
    const embedder = await open()
    planned = [(_asked, response) => response.destroy()]
    expect(await embedder.embedQuery('text')).toHaveLength(3)
  })

  it('is given up after several attempts', async () => {
    const embedder = await open()
    planned = Array.from({ length: 20 }, () => refuse(500))
    await expect(embedder.embedPassages(['text'])).rejects.toThrow(
      'answered 500: {"error":{"message":"not now"}}',
    )
    expect(asked).toHaveLength(1 + 7)
  })

  it.each([
    ['a wrong key', refuse(401)],
    ['no money left', refuse(429, {}, '{"error":{"code":"insufficient_quota"}}')],
    [
      'another kind of answer',
      (_asked: Asked, response: ServerResponse) => void response.end('<html>hello</html>'),
    ],
  ])('is not asked again after %s', async (_what, answer) => {
    const embedder = await open()
    planned = [answer]
    await expect(embedder.embedPassages(['text'])).rejects.toThrow('The embedding service answered')
    expect(asked).toHaveLength(2)
  })

  it('is not asked again when the outbound policy blocks it', async () => {
    let tries = 0
    const closed = {
      ...deps,
      fetch: () => {
        tries += 1
        return Promise.reject(
          new OutboundFailure('metadata_address', { host: 'inside', chosenBy: 'operator' }),
        )
      },
    }
    const opening = createRemoteEmbedder({ baseUrl, apiKey: undefined, model: 'embed-1' }, closed)
    await expect(opening).rejects.toThrow('never reached')
    expect(tries).toBe(1)
  })

  it('is left alone between questions after three in vain, and asked again after ten seconds', async () => {
    let now = 0
    const told: (string | undefined)[] = []
    const embedder = await createRemoteEmbedder(
      { baseUrl, apiKey: undefined, model: 'embed-1' },
      { ...deps, now: () => now, onCall: (failure) => told.push(failure?.kind) },
    )
    planned = Array.from({ length: 8 }, () => refuse(503))
    let questions = 0
    const ask = async () => {
      await embedder.embedQuery(`question ${(questions += 1)}`).catch(() => undefined)
      return asked.length - 1
    }
    // Each is tried twice.
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([2, 4, 6, 6])
    now = 10_000
    expect([await ask(), await ask()]).toEqual([8, 8])
    now = 20_000
    expect([await ask(), await ask()]).toEqual([9, 10])
    expect(told).toEqual([
      undefined,
      'unavailable',
      'unavailable',
      'unavailable',
      'unavailable',
      undefined,
      undefined,
    ])
  })

  it('is no longer asked when the caller aborts', async () => {
    const embedder = await open()
    const gone = new AbortController()
    planned = [
      (_asked, response) => {
        gone.abort(new Error('sync cancelled'))
        response.destroy()
      },
    ]
    await expect(embedder.embedPassages(['text'], gone.signal)).rejects.toThrow('sync cancelled')
    expect(asked).toHaveLength(2)
  })

  it('leaves Citewell without vectors when it cannot be reached at startup', async () => {
    planned = [refuse(404, {}, 'no such model')]
    const remote = { baseUrl, apiKey: undefined, model: 'missing' }
    const made = await createEmbedder({ remote, localFolder: undefined }, deps)
    expect(made).toEqual({ embedder: undefined, reason: 'The embedding service answered 404: no such model' })
  })
})
