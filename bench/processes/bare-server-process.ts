/**
 * The cost of the same traffic for a bare Node server: it answers `/search` with the same number of bytes, and relays a model's answer
 * from `/chat`, without any search.
 */
import { Agent, createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerParent } from './child.ts'

const RESULT = {
  title: 'Promote the optional build of a filter',
  url: 'https://docs.example.com/5#deploy-the-maximum-list',
  heading_path: ['Deploy the maximum list'],
  snippet: 'When a filter is weekly, the build will update it after 740 seconds. '.repeat(4),
  score: 0.5,
  version_label: null,
}
const RESULTS = JSON.stringify({ results: Array.from({ length: 10 }, () => RESULT), count: 10 })
const FIRST_FRAME = `data: ${JSON.stringify({ citations: Array.from({ length: 10 }, () => RESULT), done: false })}\n\n`

const loopDelay = monitorEventLoopDelay({ resolution: 10 })
loopDelay.enable()
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
let modelAddress = ''

function relay(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.write(FIRST_FRAME)
  const asking = httpRequest(`${modelAddress}/chat/completions`, { method: 'POST', agent }, (answer) => {
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue
        const piece = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }
        const delta = piece.choices[0]?.delta.content
        if (delta !== undefined) response.write(`data: ${JSON.stringify({ delta, done: false })}\n\n`)
      }
    })
    answer.on('end', () => response.end(`data: ${JSON.stringify({ citations: [], done: true })}\n\n`))
  })
  asking.end(JSON.stringify({ stream: true }))
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString())
    if (request.url?.endsWith('/chat') === true) relay(response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(RESULTS)
  })
})

answerParent({
  listen: (model: string) =>
    new Promise<string>((resolve) => {
      modelAddress = model
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      )
    }),
  /** Since the last call. */
  usage: () => {
    const delayMs = loopDelay.percentile(99) / 1e6
    loopDelay.reset()
    const { user, system } = process.cpuUsage()
    return {
      residentBytes: process.memoryUsage.rss(),
      loopDelayMs: delayMs,
      cpuSeconds: (user + system) / 1e6,
    }
  },
})
