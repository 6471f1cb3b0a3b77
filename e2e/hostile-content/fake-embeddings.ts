import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const DIMENSIONS = 64

/** A vector that depends only on the text: the frequency of its letters. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01)
  for (let at = 0; at < text.length && at < 4_000; at += 1) {
    const slot = text.charCodeAt(at) % DIMENSIONS
    vector[slot] = (vector[slot] ?? 0) + 1
  }
  return vector
}

export interface FakeEmbeddings extends AsyncDisposable {
  /** For `CITEWELL_EMBEDDING_BASE_URL`. */
  baseUrl: string
}

/** An OpenAI-compatible embedding service at almost no cost, so that more hostile documents fit into a minute. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] }
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ object: 'list', model: 'letters', data }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
