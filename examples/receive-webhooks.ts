// Receives webhooks, and prints the events whose signature is right.
// SECRET=<the secret of the webhook> PORT=4000 node examples/receive-webhooks.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { SECRET = '', PORT = '4000' } = process.env
if (SECRET === '') throw new Error('Set SECRET: without it, anyone could send events.')

function isFromCitewell(rawBody: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', SECRET).update(rawBody).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The signature is over the bytes as they came: parse them afterwards.
  const rawBody = await buffer(request)
  const isKnown = isFromCitewell(rawBody, String(request.headers['x-service-signature']))
  // Answer first and work later: a delivery that takes longer than ten seconds has failed.
  response.writeHead(isKnown ? 204 : 401).end()
  if (isKnown) console.log(`${String(request.headers['x-service-event'])} ${rawBody.toString()}`)
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
}).listen(Number(PORT), () => console.log(`Listening on ${PORT}.`))
