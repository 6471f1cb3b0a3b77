import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let base: { id: string; client_key: { key: string } }

const api = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  citewell.json<Body>(method, `/api/v1${path}`, body)

beforeAll(async () => {
  citewell = await startTestService()
  base = await api('POST', '/knowledge-bases', { name: 'Acme docs', language: 'en' })
  const source = await api<{ id: string }>('POST', `/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'Docs',
  })
  const page = (external_id: string, title: string, markdown: string) => ({
    external_id,
    title,
    markdown,
    url: `https://docs.test/${external_id}`,
  })
  await api('PUT', `/sources/${source.id}/documents`, {
    documents: [
      page('keys', 'Signing keys', 'Signing keys rotate daily. Old keys are accepted for 48 hours.'),
      page('limits', 'Rate limits', 'A workspace may send 1,000 requests per minute.'),
      page(
        'invoices',
        'Invoices',
        'Invoices are sent on the first day of a month, to the owner of the workspace.',
      ),
    ],
  })
})
afterAll(() => citewell[Symbol.asyncDispose]())

const write = (body: object) => api('POST', `/knowledge-bases/${base.id}/custom-answers`, body)

async function ask(query: string, key = base.client_key.key, thread_id?: unknown) {
  const response = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/chat`, {
    method: 'POST',
    headers: { 'x-client-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, thread_id }),
  })
  const frames = (await response.text())
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
  const last = frames.at(-1) ?? {}
  const streamed = frames.map((frame) => (typeof frame['delta'] === 'string' ? frame['delta'] : '')).join('')
  return {
    text: typeof last['answer'] === 'string' ? last['answer'] : streamed,
    citations: last['citations'] as Record<string, unknown>[],
    last,
  }
}

async function search(query: string, key = base.client_key.key) {
  const response = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/search`, {
    method: 'POST',
    headers: { 'x-client-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { results } = (await response.json()) as { results: { title: string }[] }
  return results.map(({ title }) => title)
}

const REFUND = {
  question: 'How do I get a refund?',
  answer: 'Write to [billing](https://acme.test/billing) within 30 days. We pay back to the **same card**.',
}

verifies(
  ['custom-answers.create', 'custom-answers.searched', 'custom-answers.answers', 'custom-answers.cited'],
  'a custom answer is found by other words, is given verbatim for its own question, and is cited as itself',
  async () => {
    const made = await write(REFUND)
    expect(made).toMatchObject({ ...REFUND, url: null, visibility: 'public', source_group_id: null })

    for (const query of [
      'how do i get a refund',
      'How can I get a refund?',
      'Can I have a refund for my purchase?',
    ]) {
      const { text, citations, last } = await ask(query)
      expect(text).toBe(`${REFUND.answer} [1]`)
      expect(citations).toMatchObject([
        { index: 1, title: REFUND.question, document_id: made['document_id'] },
      ])
      expect(last['covered']).toBe(true)
    }
    expect((await search('give me my money back'))[0]).toBe(REFUND.question)

    const [cited] = (await ask('How do I get a refund?')).citations
    const url = new URL(String(cited?.['url']))
    expect(url.href.split('#')[0]).toBe(`${citewell.address}/answers/${String(made['id'])}`)
    const page = await citewell.fetch(url.pathname)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const shown = await page.text()
    expect(shown).toContain('<h1 dir="auto">How do I get a refund?</h1>')
    expect(shown).toContain('<strong>same card</strong>')
    expect(shown).toContain('<a href="https://acme.test/billing">')
  },
)

test('after a custom answer, a question that goes on is answered from it, and a short one about something else is not', async () => {
  await write(REFUND)
  const askAfter = async (query: string) => {
    const { last } = await ask(REFUND.question)
    return (await ask(query, undefined, last['thread_id'])).text
  }
  expect(await askAfter('And on which card?')).toContain('same card')
  const other = await askAfter('When are keys rotated?')
  expect(other).toContain('Signing keys rotate daily')
  expect(other).not.toContain('same card')
})

test('a question in a language that the pages are not in gets the answer that was written for it', async () => {
  const asked = { question: 'Wie mache ich ein Backup?', answer: 'Mit `acme backup`.' }
  await write(asked)
  for (const query of [asked.question, 'wie mache ich ein backup'])
    expect((await ask(query)).text).toBe(`${asked.answer} [1]`)
  expect((await ask('Wie mache ich ein Restore?')).text).not.toBe(`${asked.answer} [1]`)
})

verifies(
  [
    'custom-answers.change',
    'custom-answers.list',
    'custom-answers.delete',
    'custom-answers.source',
    'custom-answers.scope',
  ],
  'it is changed, restricted, moved to a group and deleted for the very next question',
  async () => {
    const made = await write({ question: 'Where are the offices?', answer: 'In Lisbon.' })
    const path = `/custom-answers/${String(made['id'])}`
    const change = (body: object) => api('PATCH', path, body)
    expect((await ask('Where are the offices?')).text).toBe('In Lisbon. [1]')

    expect(await change({ answer: 'In Oslo.', url: 'https://acme.test/offices' })).toMatchObject({
      answer: 'In Oslo.',
      question: 'Where are the offices?',
      document_id: made['document_id'],
    })
    const changed = await ask('Where are the offices?')
    expect(changed.text).toBe('In Oslo. [1]')
    expect(changed.citations[0]?.['url']).toMatch(/^https:\/\/acme\.test\/offices/)

    const page = () => citewell.fetch(`/answers/${String(made['id'])}`)
    expect((await page()).status).toBe(200)
    await change({ visibility: 'restricted' })
    expect(await search('Where are the offices?')).not.toContain('Where are the offices?')
    expect((await page()).status).toBe(404)
    await change({ visibility: 'public' })

    const group = await api<{ id: string }>('POST', `/knowledge-bases/${base.id}/source-groups`, {
      name: 'v2',
    })
    const key = await api<{ key: string }>('POST', `/knowledge-bases/${base.id}/client-keys`, {
      name: 'v2',
      kind: 'public',
      allowed_source_group_ids: [group.id],
    })
    expect(await search('Where are the offices?', key.key)).toEqual([])
    const moved = await change({ source_group_id: group.id })
    expect(moved).toMatchObject({ source_group_id: group.id, document_id: made['document_id'] })
    expect(await search('Where are the offices?', key.key)).toEqual(['Where are the offices?'])

    const { data: sources } = await api<{
      data: { id: string; type: string; source_group_id: string | null }[]
    }>('GET', `/knowledge-bases/${base.id}/sources?type=custom_answers`)
    expect(new Set(sources.map((source) => source.source_group_id))).toEqual(new Set([group.id, null]))
    expect((await citewell.send('POST', `/api/v1/sources/${sources[0]?.id}/sync`)).status).toBe(409)

    const listed = await api<{ data: object[] }>('GET', `/knowledge-bases/${base.id}/custom-answers`)
    expect(listed.data).toContainEqual(moved)
    expect((await citewell.send('DELETE', `/api/v1${path}`)).status).toBe(204)
    expect(await search('Where are the offices?')).not.toContain('Where are the offices?')
    expect((await citewell.send('PATCH', `/api/v1${path}`, { answer: 'In Rome.' })).status).toBe(404)
  },
)

verifies(
  ['custom-answers.owned', 'custom-answers.scope'],
  'deleting a base counts its custom answers; in an internal base they are restricted, and a group of another base is refused',
  async () => {
    const internal = await api<{ id: string }>('POST', '/knowledge-bases', { name: 'Wiki', type: 'internal' })
    const path = `/api/v1/knowledge-bases/${internal.id}`
    const made = await citewell.json<{ id: string; visibility: string }>(
      'POST',
      `${path}/custom-answers`,
      REFUND,
    )
    expect(made.visibility).toBe('restricted')
    const published = await citewell.send('PATCH', `/api/v1/custom-answers/${made.id}`, {
      visibility: 'public',
    })
    expect(published.status).toBe(403)
    const group = await api<{ id: string }>('POST', `/knowledge-bases/${base.id}/source-groups`, {
      name: 'Other',
    })
    const foreign = await citewell.send('POST', `${path}/custom-answers`, {
      ...REFUND,
      source_group_id: group.id,
    })
    expect(foreign.status).toBe(400)
    const preview = await citewell.json<{ counts: object }>('GET', `${path}/deletion-preview`)
    expect(preview.counts).toMatchObject({ custom_answers: 1 })
    expect((await citewell.send('DELETE', path, { confirm: 'Wiki' })).status).toBe(200)
    expect(
      (await citewell.send('PATCH', `/api/v1/custom-answers/${made.id}`, { answer: 'No.' })).status,
    ).toBe(404)
  },
)
