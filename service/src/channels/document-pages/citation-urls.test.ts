import { verifies } from '@citewell/spec/verifies'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEveryKindOfSource, type EveryKindOfSource } from '../../../test/every-kind-of-source.ts'
import { outsideRequest } from '../../../test/outside-request.ts'

let world: EveryKindOfSource
beforeAll(async () => {
  world = await openEveryKindOfSource()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const QUESTIONS = [
  'How long does a refund of a broken gadget take?',
  'On what day are gadgets shipped?',
  'How do I list all gadgets?',
  'Who invented gadgets?',
  'Are gadgets blue or red?',
]

/** RFC 3986, as strict clients parse it. */
const STRICT = /^https?:\/\/[\w.:[\]-]+(?:[/?#](?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2}|#(?!.*#))*)?$/i

/** Every `url` in an answer, with its path in the JSON. */
function urlsIn(value: unknown, at: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item, place) => urlsIn(item, `${at}.${place}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]): [string, string][] =>
    name === 'url' && typeof item === 'string' ? [[`${at}.url`, item]] : urlsIn(item, `${at}.${name}`),
  )
}

const frames = (text: string): unknown[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as unknown] : []))

async function openTools() {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${world.base.key}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.citewell.address}/mcp`), { requestInit }),
  )
  return {
    call: async (name: string, input: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: input })).structuredContent,
    [Symbol.asyncDispose]: async () => await client.close(),
  }
}

/** The answers of all surfaces to a question. */
async function answersTo(query: string): Promise<[string, unknown][]> {
  const { citewell, base, within, ask } = world
  const [search, related, chat, openai] = await Promise.all([
    ask(`/knowledge-bases/${base.id}/search`, { query }),
    ask(`/knowledge-bases/${base.id}/related`, { query }),
    ask(`/knowledge-bases/${base.id}/chat`, { query }),
    outsideRequest(`${citewell.address}/api/v1/public/openai/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${base.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: base.id, messages: [{ role: 'user', content: query }] }),
    }),
  ])
  const form = await citewell.json<{ id: string }>('POST', `${within}/form-deflectors`, { name: 'Contact' })
  const deflected = await ask(`/knowledge-bases/${base.id}/form-deflect`, { body: query, form_id: form.id })
  const team = await citewell.send('POST', `${within}/chat`, { query })
  await using tools = await openTools()
  return [
    ['search', await search.json()],
    ['related', await related.json()],
    ['chat', frames(await chat.text())],
    ['openai', await openai.json()],
    ['form', await deflected.json()],
    ['team', frames(await team.text())],
    ['search_docs', await tools.call('search_docs', { query })],
    ['ask_question', await tools.call('ask_question', { question: query })],
  ]
}

verifies('documents.url', 'every url in every answer on every surface opens', async () => {
  const { citewell, within, documents } = world
  const answers: [string, unknown][] = [['documents', documents]]
  for (const query of QUESTIONS) answers.push(...(await answersTo(query)))
  const conversations = await citewell.json<{ data: { id: string }[] }>('GET', `${within}/conversations`)
  for (const { id } of conversations.data.slice(0, 12)) {
    const conversation = await citewell.json<{ messages: { id: string }[] }>(
      'GET',
      `/api/v1/conversations/${id}`,
    )
    answers.push(['conversation', conversation])
    for (const message of conversation.messages)
      answers.push(['trace', await citewell.json('GET', `/api/v1/messages/${message.id}/trace`)])
  }
  const { data } = await citewell.json<{ data: unknown }>('GET', `${within}/documents?limit=1`)
  answers.push(['analytics', await citewell.json('GET', `${within}/analytics`)], ['documents', data])

  const urls = answers.flatMap(([surface, answer]) => urlsIn(answer, surface))
  expect(new Set(urls.map(([at]) => at.split('.')[0])).size).toBe(12)
  expect(urls.filter(([, url]) => !STRICT.test(url))).toEqual([])
  const own = urls.filter(([, url]) => url.includes('/documents/') || url.includes('/answers/'))
  expect(own.length).toBeGreaterThan(30)
  expect(own.filter(([, url]) => !url.startsWith(`${citewell.address}/`))).toEqual([])
  for (const url of new Set(own.map(([, address]) => address.replace(/#.*/, '')))) {
    const isRestricted = url.startsWith(world.documentOf('Salaries').url)
    expect([url, (await outsideRequest(url)).status]).toEqual([url, isRestricted ? 404 : 200])
  }
})

test('addresses in stored answers open at the current public URL, and a former path has a page', async () => {
  const { citewell, within, documentOf } = world
  const refunds = documentOf('Refunds')
  const citation = {
    index: 1,
    title: 'Refunds',
    document_id: refunds.id,
    chunk_id: refunds.id,
    heading_path: [],
    excerpt: 'x',
  }
  const old = [`http://old.example/documents/${refunds.id}?passage=${refunds.id}#how`, 'refunds.md']
  await answersTo(QUESTIONS[0] ?? '')
  await citewell.rows(
    `update messages set citations = '${JSON.stringify(old.map((url) => ({ ...citation, url })))}'::jsonb,
      trace = jsonb_set(trace, '{retrieved,0,url}', '"refunds.md"')`,
  )
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', `${within}/conversations`)
  const { messages } = await citewell.json<{ messages: { id: string; citations: { url: string }[] }[] }>(
    'GET',
    `/api/v1/conversations/${data[0]?.id}`,
  )
  const trace = await citewell.json<{ citations: { url: string }[]; retrieved: { url: string }[] }>(
    'GET',
    `/api/v1/messages/${messages[0]?.id}/trace`,
  )
  const expected = [
    `${refunds.url}?passage=${refunds.id}#how`,
    `${refunds.url}?passage=${refunds.id}#p-${refunds.id}`,
  ]
  expect(messages[0]?.citations.map(({ url }) => url)).toEqual(expected)
  expect(trace.citations.map(({ url }) => url)).toEqual(expected)
  expect(trace.retrieved[0]?.url).toMatch(new RegExp(`^${citewell.address}/(documents|answers)/`))
})

test('the API reference describes these fields as addresses', async () => {
  const api = (await (await world.citewell.fetch('/openapi.json')).json()) as {
    components: { schemas: Record<string, { properties?: Record<string, { format?: string }> }> }
  }
  const formats = Object.fromEntries(
    ['Citation', 'SearchResult', 'RelatedArticle', 'DocumentSummary', 'TopPage'].map((name) => [
      name,
      api.components.schemas[name]?.properties?.['url']?.format,
    ]),
  )
  expect(new Set(Object.values(formats))).toEqual(new Set(['uri']))
})

verifies(
  'documents.url-found-again',
  'a list and the MCP tool find documents by the address they returned, and by the former path',
  async () => {
    const { citewell, within, documentOf } = world
    const refunds = documentOf('Refunds')
    const cited = `${refunds.url}?passage=${refunds.id}&from=A#how-long-it-takes:~:text=A`
    for (const address of [refunds.url, cited, 'refunds.md', `/documents/${refunds.id}`]) {
      const { data } = await citewell.json<{ data: { id: string }[] }>(
        'GET',
        `${within}/documents?url=${encodeURIComponent(address)}`,
      )
      expect([address, data.map(({ id }) => id)]).toEqual([address, [refunds.id]])
    }
    await using tools = await openTools()
    const answer = documentOf('Who invented gadgets?')
    const other = 'https://docs.example.com/nowhere'
    const salaries = documentOf('Salaries')
    const pages = await tools.call('get_documents', {
      urls: [cited, 'shipping.md', answer.url, documentOf('Colours').url, other, salaries.url],
    })
    expect(pages).toMatchObject({ not_found: [other, salaries.url] })
    const titles = (pages as { documents: { title: string }[] }).documents.map(({ title }) => title)
    expect(titles.toSorted()).toEqual(['Colours', 'Refunds', 'Shipping', 'Who invented gadgets?'])
  },
)
