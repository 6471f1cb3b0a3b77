import { verifies } from '@citewell/spec/verifies'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeptNearbyEmbedder } from '../../test/create-nearby-embedder.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../test/fake-llm.ts'
import {
  asHtmlText,
  HTML_SHAPES,
  htmlPage,
  MARKDOWN_SHAPES,
  someHostileShapes,
} from '../../test/hostile-shapes.ts'
import { initializeRequest } from '../../test/initialize-request.ts'
import { startTestService, type TestService } from '../../test/start-service.ts'

/** Longest that the service may stand still here, where other tests run beside it. By itself it is some 30 ms. */
const STANDSTILL_MS = 2_500

/** What froze the service for minutes, each as one cell of a page that anybody could have written. */
const PAGES = {
  'bold in a cell': HTML_SHAPES['bold-in-a-cell'](60_000),
  'links in a cell': HTML_SHAPES['links-in-a-cell'](60_000),
  'code in a cell': HTML_SHAPES['code-in-a-cell'](60_000),
  quotes: asHtmlText(MARKDOWN_SHAPES['quotes-nested'](30_000)),
  pictures: asHtmlText(MARKDOWN_SHAPES['images-nested'](30_000), 'pre'),
  brackets: asHtmlText(MARKDOWN_SHAPES['brackets-nested'](30_000)),
}
const NAME =
  'Zebrafish <img src=x onerror=alert(1)>\n\n1. [Forged](https://evil.example)\n<https://evil.example/t> https://evil.example'

let citewell: TestService
let llm: FakeLlm
let base: { id: string; client_key: { key: string } }

beforeAll(async () => {
  llm = await startFakeLlm(fakeLlm.says('The zebrafish is here [1].'))
  citewell = await startTestService(
    { CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' },
    // The passages are many and long: their vectors would take most of the time, in a thread that holds nobody up.
    { surroundings: { createEmbedder: createKeptNearbyEmbedder } },
  )
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Hostile' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'push',
    config: {},
  })
  const documents = Object.entries(PAGES).map(([name, body], at) => ({
    external_id: name,
    title: at === 0 ? NAME : `About ${name}`,
    url: `https://example.com/${at}`,
    html: htmlPage(body),
  }))
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents })
}, 300_000)
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

async function standstill(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work()
  delay.disable()
  return delay.max / 1e6
}

async function ask(path: string, body: unknown, authorization?: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'x-client-key': base.client_key.key,
    ...(authorization !== undefined && { authorization }),
  }
  const response = await citewell.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, ''])
  return text
}

const publicPath = (what: string) => `/api/v1/public/knowledge-bases/${base.id}/${what}`

async function callTool(name: string, input: unknown): Promise<string> {
  const { method, headers } = initializeRequest({ authorization: `Bearer ${base.client_key.key}` })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: input },
  })
  const text = await (await citewell.fetch('/mcp', { method, headers, body })).text()
  const line = text.split('\n').find((each) => each.startsWith('data: '))
  const { result } = JSON.parse(line?.slice(6) ?? text) as { result: { content: { text: string }[] } }
  return result.content[0]?.text ?? ''
}

describe('pages that nobody writes by chance', () => {
  test('hold nobody up where they are found', { timeout: 120_000 }, async () => {
    const waited = await standstill(async () => {
      const found = await ask(publicPath('search'), { query: 'zebrafish', limit: 50 })
      expect(found).toContain('zebrafish')
      await ask(publicPath('related'), { query: 'zebrafish' })
      expect(await ask(publicPath('chat'), { query: 'Where is the zebrafish?' })).toContain('"done":true')
      expect(await callTool('search_docs', { query: 'zebrafish' })).toContain('zebrafish')
    })
    expect(waited).toBeLessThan(STANDSTILL_MS)
  })

  test.each(someHostileShapes(2))('%s as a question holds nobody up', async (_name, shape) => {
    const query = `zebrafish ${shape(900).toWellFormed().replaceAll('\0', '')}`
    const waited = await standstill(async () => {
      // One hit: what the pages cost is measured above.
      await ask(publicPath('search'), { query, limit: 1 })
    })
    expect(waited).toBeLessThan(STANDSTILL_MS)
  })
})

describe('a page with a hostile title', () => {
  const SHOWN = String.raw`Zebrafish &lt;img src=x onerror=alert(1)&gt; 1. \[Forged\](https: //evil.example) &lt;https: //evil.example/t&gt; https: //evil.example`

  test('is told by it on one line, and by nothing else', async () => {
    const { results } = JSON.parse(await ask(publicPath('search'), { query: 'zebrafish', limit: 50 })) as {
      results: { title: string }[]
    }
    const title = results.map((result) => result.title).find((each) => each.includes('Forged'))
    expect(title).toBe(NAME.replaceAll(/\s+/g, ' '))
  })

  verifies('openai.names-are-text', 'the sources of the OpenAI endpoint show its title as text', async () => {
    const question = { role: 'user', content: 'Zebrafish Forged onerror: where is the zebrafish?' }
    llm.script(fakeLlm.says('The zebrafish is here [1][2][3][4][5][6].'))
    const answered = JSON.parse(
      await ask(
        '/api/v1/public/openai/chat/completions',
        { model: base.id, messages: [question] },
        `Bearer ${base.client_key.key}`,
      ),
    ) as { choices: { message: { content: string } }[] }
    const content = answered.choices[0]?.message.content ?? ''
    expect(content).toContain(`[${SHOWN}](https://example.com/0`)
    expect(content).not.toContain('<')
  })

  verifies('mcp.names-are-text', 'tools of MCP tell its title on one line, as text', async () => {
    const found = await callTool('search_docs', { query: 'zebrafish forged onerror', limit: 20 })
    expect(found).toContain(`${SHOWN}\nhttps://example.com/0`)
  })

  test('is told so to the model', async () => {
    const requests = JSON.stringify(llm.requests)
    expect(requests).toContain(JSON.stringify(SHOWN).slice(1, -1).replaceAll('\\', '\\\\').slice(0, 40))
    expect(requests).not.toContain('1. [Forged]')
  })
})
