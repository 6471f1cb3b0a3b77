import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { startTestService } from '../../../test/start-service.ts'
import { createLog } from '../../platform/log/log.ts'

const TOKEN = '8181:AAF-a_token_that_nobody_may_read_35'
const SECRET = TOKEN.split(':')[1] ?? ''

verifies(
  'bots.credentials-kept',
  'the token of a Telegram bot, which is a part of the address that is called, is in no log line, answer or record, however the call fails',
  async () => {
    const lines: string[] = []
    const calls: string[] = []
    // Hangs up, sends on to another place with the token in its address, and answers what is no answer.
    const server = createServer((request, response) => {
      const { url = '' } = request
      calls.push(url)
      if (calls.length % 3 === 0) response.destroy()
      else if (calls.length % 3 === 1) response.writeHead(302, { location: `http://127.0.0.1:1${url}` }).end()
      else response.writeHead(500).end(url)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const citewell = await startTestService(
      { CITEWELL_SECRET_KEY: 'the-same-key-in-each-process-of-this-test' },
      { log: createLog('trace', { write: (line) => void lines.push(line) }) },
    )
    const { id: base } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
      name: 'Acme',
    })
    const port = (server.address() as AddressInfo).port
    const answers: unknown[] = []
    for (const api_url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1', 'https://no-such-host.invalid'])
      for (const receive_by of ['polling', 'hook']) {
        const made = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base}/bots`, {
          name: 'Docs',
          platform: 'telegram',
          config: { api_url, receive_by },
          credentials: { bot_token: TOKEN },
        })
        for (let times = 0; times < 3; times += 1)
          answers.push(await citewell.json('POST', `/api/v1/bots/${made.id}/check`))
        answers.push(await citewell.json('GET', `/api/v1/bots/${made.id}/setup`))
        answers.push(await citewell.json('GET', `/api/v1/bots/${made.id}`))
      }
    const problems = () => citewell.rows('select problem from integrations where problem is not null')
    await eventually(problems, ({ length }) => length > 0)
    answers.push(await problems())
    await citewell[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
    expect(calls.some((url) => url.includes(SECRET))).toBe(true)
    expect(lines.length).toBeGreaterThan(0)
    expect(JSON.stringify([answers, lines])).not.toContain(SECRET)
  },
  60_000,
)
