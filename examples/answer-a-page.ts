// A server that asks with its secret on behalf of its page: the secret never leaves it.
// npm install @citewell/sdk (in this repository, run it with: node --conditions=citewell-source)
// CITEWELL=http://localhost:3000 BASE=<id of the knowledge base> CLIENT_ID=… CLIENT_SECRET=… PORT=4000 node examples/answer-a-page.ts
// curl -N localhost:4000 -d '{"question": "How do I rotate a key?"}'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createClient } from '@citewell/sdk'

const { CITEWELL = '', BASE = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '4000' } = process.env
const client = createClient({
  endpoint: CITEWELL,
  knowledgeBaseId: BASE,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { question } = (await json(request)) as { question: string }
  const { status, headers, body } = client.ask(question).toResponse()
  response.writeHead(status, Object.fromEntries(headers))
  // Ends the question too, if the page is left.
  if (body !== null) await pipeline(Readable.fromWeb(body), response)
}

createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
}).listen(Number(PORT), () => console.log(`Listening on ${PORT}.`))
