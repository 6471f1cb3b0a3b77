import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { startTestService } from '../../test/start-service.ts'

/** Addresses as somebody hostile, or careless, sends them, and as they come back. */
const SENT: [string, string][] = [
  [
    'https://docs.example.com/a)b?x=1 "onmouseover=alert(1)',
    'https://docs.example.com/a)b?x=1%20%22onmouseover=alert(1)',
  ],
  ["https://docs.example.com/a'b?c='d#'e", 'https://docs.example.com/a%27b?c=%27d#%27e'],
  ['https://docs.example.com/<script>', 'https://docs.example.com/%3Cscript%3E'],
  ['https://docs.example.com/#<img src=x>', 'https://docs.example.com/#%3Cimg%20src=x%3E'],
  ['https://docs.example.com/?`id`|x^y{z}', 'https://docs.example.com/?%60id%60%7Cx%5Ey%7Bz%7D'],
  ['https:\\\\docs.example.com\\a?b\\c', 'https://docs.example.com/a?b%5Cc'],
  ['HTTPS://DOCS.example.com:443/a/../b', 'https://docs.example.com/b'],
  ['https://docs.example.com/new\nline\ttab', 'https://docs.example.com/newlinetab'],
  ['https:docs.example.com/x', 'https://docs.example.com/x'],
  ['https://docs.example.com/ü', 'https://docs.example.com/%C3%BC'],
  ['https://docs.example.com/wiki/Foo_(bar)', 'https://docs.example.com/wiki/Foo_(bar)'],
]

const REFUSED = [
  'https://user:secret@docs.example.com/',
  'https://user@docs.example.com/',
  'https://docs.example.com@evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//docs.example.com/',
  'https://',
  `https://docs.example.com/${'"'.repeat(1_000)}`,
]

verifies(
  'conventions.addresses',
  'an address is stored and returned as browsers write it, wherever it was sent',
  async () => {
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string; client_key: { key: string } }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: 'Docs' },
    )
    const below = `/api/v1/knowledge-bases/${base.id}`
    const source = await citewell.json<{ id: string }>('POST', `${below}/sources`, {
      type: 'push',
      name: 'P',
      config: {},
    })
    const documents = SENT.map(([url], at) => ({
      external_id: String(at),
      title: `Page ${at}`,
      url,
      markdown: `The walrus number ${at} eats clams.`,
    }))
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents })
    const stored = await citewell.json<{ data: { title: string; url: string }[] }>(
      'GET',
      `${below}/documents?limit=100`,
    )
    const found = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/search`, {
      method: 'POST',
      headers: { 'x-client-key': base.client_key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'walrus clams', limit: 50 }),
    })
    const foundText = await found.text()
    for (const [at, [url, expected]] of SENT.entries()) {
      expect(stored.data.find(({ title }) => title === `Page ${at}`)?.url).toBe(expected)
      const narrowed = await citewell.json<{ data: { title: string }[] }>(
        'GET',
        `${below}/documents?url=${encodeURIComponent(url.trim())}`,
      )
      expect(narrowed.data.map(({ title }) => title)).toEqual([`Page ${at}`])
      const answer = { question: `What of ${at}?`, answer: 'It eats.', url }
      const custom = await citewell.json<{ url: string }>('POST', `${below}/custom-answers`, answer)
      expect(custom.url).toBe(expected)
    }
    expect(foundText).toContain('a)b?x=1%20%22onmouseover')
    expect(foundText).not.toContain('\\"onmouseover')
    for (const url of REFUSED) {
      const [pushed, custom, hook] = [
        await citewell.send('PUT', `/api/v1/sources/${source.id}/documents`, {
          documents: [{ external_id: 'x', title: 'X', url, markdown: 'x' }],
        }),
        await citewell.send('POST', `${below}/custom-answers`, { question: 'q', answer: 'a', url }),
        await citewell.send('POST', `${below}/webhook-triggers`, {
          name: 'hook',
          url,
          events: ['conversation.completed'],
        }),
      ]
      expect([url, pushed.status, custom.status, hook.status]).toEqual([url, 400, 400, 400])
    }
  },
  120_000,
)
