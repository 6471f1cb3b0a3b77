import { act, createElement as h, StrictMode, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../service/test/fake-llm.ts'
import { startPublicApi } from '../../service/test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../service/test/test-storage.ts'
import { createClient, type Client } from '../src/client.ts'
import { CitewellProvider, useAsk, useRelated, useSearch, useSuggested, type AskState } from '../src/react.ts'
import { openPage } from './page.ts'
import { DONE, eventOf, START } from './scripted-server.ts'

const ANSWER = 'Signing keys are rotated every day at midnight. [1]'
const QUESTION = 'When are signing keys rotated?'

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let client: Client
beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says(ANSWER))
  api = await startPublicApi({
    storage,
    modelUrl: llm.baseUrl,
    limits: { chatPerKey: 0, chatPerAddress: 0 },
  })
  const base = await api.makeAskable([
    { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' },
    { title: 'Plugins', text: 'Plugins are installed with the plugin command.' },
  ])
  client = createClient({ endpoint: api.address, knowledgeBaseId: base.id, clientKey: base.key, retries: 0 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

const within = (child: ReactNode, given = client) =>
  h(StrictMode, null, h(CitewellProvider, { client: given }, child))

/** Draws a component in a page, and waits for what it shows. */
async function draw(child: ReactNode, given = client) {
  const page = openPage()
  const { createRoot } = await import('react-dom/client')
  const root = createRoot(page.root)
  await act(async () => root.render(within(child, given)))
  return {
    text: page.text,
    render: async (next: ReactNode) => await act(async () => root.render(within(next, given))),
    until: async (isThere: () => boolean) => {
      const end = Date.now() + 20_000
      while (!isThere()) {
        if (Date.now() > end) throw new Error(`It shows: ${page.text()}`)
        await act(
          async () =>
            await new Promise((wake) => {
              setTimeout(wake, 10)
            }),
        )
      }
    },
    [Symbol.asyncDispose]: async () => {
      await act(async () => root.unmount())
      page[Symbol.dispose]()
    },
  }
}

/** Shows the conversation as JSON, and hands out its means. */
function createProbe(options: Parameters<typeof useAsk>[0] = {}) {
  const seen: AskState[] = []
  const Probe = () => {
    const state = useAsk(options)
    seen.push(state)
    return h('pre', null, `${state.status}:${state.turns.map(({ status }) => status).join(',')}`)
  }
  const last = () => {
    const state = seen.at(-1)
    if (state === undefined) throw new Error('It was not drawn.')
    return state
  }
  return { Probe, last, seen }
}

test('a question is asked, drawn while it is written, continued and rated', async () => {
  const ends: string[] = []
  const { Probe, last } = createProbe({ onAnswer: ({ text }) => ends.push(text) })
  await using page = await draw(h(Probe))
  expect(page.text()).toBe('ready:')
  const isDrawn = Promise.withResolvers<void>()
  llm.script(
    fakeLlm.saysInTwo('Signing keys are rotated ', isDrawn.promise, 'every day at midnight. [1]'),
    fakeLlm.says(ANSWER),
  )
  await act(async () => last().ask(QUESTION))
  expect(page.text()).toBe('submitted:submitted')
  await page.until(() => page.text() === 'streaming:streaming')
  isDrawn.resolve()
  await page.until(() => page.text() === 'ready:done')
  const [turn] = last().turns
  expect(turn).toMatchObject({ question: QUESTION, covered: true, citations: [{ index: 1 }] })
  expect(turn?.text).toContain('midnight')
  expect(ends).toEqual([turn?.text])
  const threadId = last().threadId
  expect(threadId).toEqual(expect.any(String))

  await act(async () => last().ask('And on Windows?'))
  await page.until(() => page.text() === 'ready:done,done')
  expect(last().threadId).toBe(threadId)
  await act(async () => await last().rate(turn?.messageId ?? '', 'up'))
  expect(last().turns[0]?.rating).toBe('up')
  await act(async () => await last().rate(turn?.messageId ?? '', undefined))
  expect(last().turns[0]?.rating).toBeUndefined()
  await act(async () => last().reset())
  expect(page.text()).toBe('ready:')
  expect(last().threadId).toBeUndefined()
})

test('an answer that is stopped keeps its text, and a refused one its error; both can be asked again', async () => {
  const slow = { ask: client.ask, rate: client.rate, withdraw: client.withdraw }
  let isOffline = true
  const given = {
    ...client,
    ask: (...args: Parameters<Client['ask']>) =>
      isOffline
        ? createClient({
            endpoint: api.address,
            knowledgeBaseId: crypto.randomUUID(),
            clientKey: 'cw_pk_wrong',
            retries: 0,
          }).ask(...args)
        : slow.ask(...args),
  }
  const codes: string[] = []
  const { Probe, last } = createProbe({ onError: ({ code }) => codes.push(code) })
  await using page = await draw(h(Probe), given)
  await act(async () => last().ask(QUESTION))
  await page.until(() => page.text() === 'error:error')
  expect(last().turns[0]?.error).toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(codes).toEqual(['UNAUTHENTICATED'])
  isOffline = false
  await act(async () => last().retry())
  await page.until(() => page.text() === 'ready:done')
  await act(async () => {
    last().ask(QUESTION)
    last().stop()
  })
  await page.until(() => page.text() === 'ready:done,stopped')
})

test('hundreds of pieces are drawn a few times, not hundreds', async () => {
  const pieces = Array.from({ length: 500 }, (_, at) => ({ delta: `${at} `, done: false }))
  const events = [START, ...pieces, DONE].map(eventOf).join('')
  const given = createClient({
    endpoint: 'http://citewell.test',
    knowledgeBaseId: 'kb',
    clientKey: 'cw_pk_1',
    fetch: async () => new Response(events),
  })
  const { Probe, last, seen } = createProbe()
  await using page = await draw(h(Probe), given)
  await act(async () => last().ask(QUESTION))
  await page.until(() => page.text() === 'ready:done')
  expect(last().turns[0]?.text).toMatch(/^0 1 2 .* 499 $/)
  // StrictMode draws each of them twice.
  expect(seen.length).toBeLessThan(40)
})

test('an answer ends when its component is removed', async () => {
  const signals: boolean[] = []
  const given: Client = {
    ...client,
    ask: (question, options) => {
      const answer = client.ask(question, options)
      return {
        ...answer,
        abort: () => {
          signals.push(true)
          answer.abort()
        },
      }
    },
  }
  const { Probe, last } = createProbe()
  await using page = await draw(h(Probe), given)
  await act(async () => last().ask(QUESTION))
  await page.render(h('p', null, 'gone'))
  expect(signals).toEqual([true])
  expect(page.text()).toBe('gone')
})

test('a search follows its query, and keeps only the newest answer', async () => {
  const Search = ({ query }: { query: string }) => {
    const { results, status } = useSearch(query, { limit: 1 })
    return h('p', null, `${status}:${results.map(({ title }) => title).join(',')}`)
  }
  await using page = await draw(h(Search, { query: '' }))
  expect(page.text()).toBe('idle:')
  await page.render(h(Search, { query: 'plug' }))
  await page.render(h(Search, { query: 'plugins' }))
  await page.render(h(Search, { query: 'signing keys' }))
  await page.until(() => page.text() === 'done:Signing keys')
  await page.render(h(Search, { query: '  ' }))
  expect(page.text()).toBe('idle:')
})

test('suggested questions and related pages are fetched', async () => {
  const Both = () => {
    const { articles, status } = useRelated('plugins')
    const suggested = useSuggested()
    return h('p', null, `${status}:${articles[0]?.title}:${suggested.status}`)
  }
  await using page = await draw(h(Both))
  await page.until(() => page.text() === 'done:Plugins:done')
  expect(page.text()).toBe('done:Plugins:done')
})

test('a server renders the hooks without asking anything', () => {
  const { Probe } = createProbe()
  const Search = () => h('p', null, useSearch('keys').status)
  expect(renderToString(within([h(Probe, { key: 1 }), h(Search, { key: 2 })]))).toBe(
    '<pre>ready:</pre><p>idle</p>',
  )
  expect(() => renderToString(h(Probe))).toThrow('CitewellProvider')
})
