import { verifies } from '@citewell/spec/verifies'
import { afterEach, expect, vi } from 'vitest'
import { z } from 'zod'
import { openTestStorage } from '../../../test/test-storage.ts'
import { createRateLimits } from '../../platform/rate-limits/rate-limits.ts'
import { serveMcpTools, type ToolCallAnswer } from '../../../test/serve-mcp-tools.ts'
import type { AnyReader } from './mcp-reader.ts'
import { toolResult } from './tool-result.ts'
import type { Tool } from './tools/tool.ts'

afterEach(() => {
  vi.useRealTimers()
})

const tool = (name: string, countsAs: Tool['countsAs']): Tool<z.ZodType, AnyReader> => ({
  names: () => [name],
  title: name,
  description: () => name,
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  annotations: {},
  timeoutSeconds: 10,
  countsAs,
  isOffered: () => true,
  run: () => Promise.resolve(toolResult('done', { done: true })),
})
const TOOLS = [tool('search_docs', 'search'), tool('ask_question', 'chat'), tool('feedback', 'giveFeedback')]

const person = (kind: 'public' | 'internal' | 'portal', userRef: string, serverName?: string): AnyReader => ({
  kind,
  userRef,
  serverName,
  clientKeyId: undefined,
  includeRestricted: kind !== 'public',
})
const key = (clientKeyId: string): AnyReader => ({
  kind: 'key',
  clientKeyId,
  userRef: undefined,
  serverName: undefined,
  includeRestricted: false,
})

const MINUTE_MS = 60_000
const passed = (answers: readonly ToolCallAnswer[]) => answers.filter(({ isError }) => !isError).length

/** A clock that moves only when the test advances it. */
function stopTheClock() {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2026-11-21T08:00:00.000Z'))
  return { goOn: (ms: number) => vi.setSystemTime(Date.now() + ms) }
}

/**
 * Uses up the limit of the day, at most one minute's limit at a time; returns how many calls passed. Those before the last that passes are
 * counted without the protocol, which takes ten times as long.
 */
async function useUpTheDay(
  server: Awaited<ReturnType<typeof serveMcpTools>>,
  reader: AnyReader,
  clock: ReturnType<typeof stopTheClock>,
): Promise<{ count: number; last: ToolCallAnswer }> {
  let count = 0
  const countOn = () => {
    count += 1
    if (count % 60 === 0) clock.goOn(MINUTE_MS)
  }
  for (let left = Infinity; left > 1; countOn()) {
    const { isAllowed, states } = await server.countCall(reader, 'search')
    if (!isAllowed) throw new Error(`refused after ${count} calls`)
    left = states.find(({ limit }) => limit.name.endsWith('-day'))?.remaining ?? 0
  }
  for (;;) {
    const last = await server.call(reader, 'search_docs')
    if (last.isError && last.text.includes('Left: 0 of 60'))
      throw new Error(`refused by the minute: ${last.text}`)
    if (last.isError) return { count, last }
    countOn()
  }
}

verifies(
  ['mcp.public-rate', 'mcp.limits-told'],
  'a person may make 60 calls a minute at Public servers; the 61st says what is left, and when to retry',
  async () => {
    const clock = stopTheClock()
    const server = await serveMcpTools(TOOLS)
    const ada = person('public', 'reader:ada', 'one')
    const elsewhere = person('public', 'reader:ada', 'another')
    const answers = []
    for (let count = 0; count < 60; count += 1)
      answers.push(await server.call(count % 2 === 0 ? ada : elsewhere, 'search_docs'))
    clock.goOn(20_000)
    const refused = await server.call(elsewhere, 'ask_question')

    expect(passed(answers)).toBe(60)
    expect(answers[59]?.left).toEqual([
      { name: 'mcp-public-minute', limit: 60, remaining: 0, reset_seconds: 60 },
      { name: 'mcp-public-day', limit: 500, remaining: 440, reset_seconds: 86_400 },
    ])
    expect(refused.status).toBe(200)
    expect(refused.isError).toBe(true)
    expect(refused.text).toBe(
      'Left: 0 of 60 calls of this minute, 440 of 500 calls of this day. Try again in 40 s.',
    )
    expect(refused.left.map(({ remaining }) => remaining)).toEqual([0, 440])
    // Other people are not affected, nor is the same person at another kind of server.
    expect((await server.call(person('public', 'reader:bob'), 'search_docs')).isError).toBe(false)
    expect((await server.call(person('portal', 'reader:ada'), 'search_docs')).isError).toBe(false)
    clock.goOn(40_000)
    const again = await server.call(ada, 'search_docs')
    expect([again.isError, again.left[1]?.remaining]).toEqual([false, 439])
  },
)

verifies(
  'mcp.public-rate',
  'the 501st call of a day at Public servers is refused, until the next day',
  async () => {
    const clock = stopTheClock()
    const server = await serveMcpTools(TOOLS)
    const ada = person('public', 'reader:ada')
    const { count, last } = await useUpTheDay(server, ada, clock)

    expect(count).toBe(500)
    expect(last.text).toMatch(/0 of 500 calls of this day\. Try again in 85920 s\.$/)
    clock.goOn(85_920_000)
    expect((await server.call(ada, 'search_docs')).isError).toBe(false)
  },
)

for (const kind of ['internal', 'portal'] as const) {
  verifies(
    ['mcp.internal-rate', 'mcp.portal-rate'],
    `a person may make 60 calls a minute and 2,000 a day: ${kind}`,
    async () => {
      const clock = stopTheClock()
      const server = await serveMcpTools(TOOLS)
      const cora = person(kind, 'user:cora', 'one')
      for (let count = 0; count < 60; count += 1)
        expect((await server.call(cora, 'search_docs')).isError).toBe(false)
      expect((await server.call(person(kind, 'user:cora', 'another'), 'search_docs')).text).toMatch(
        /^Left: 0 of 60 calls of this minute, 1,940 of 2,000 calls of this day\./,
      )
      clock.goOn(MINUTE_MS)
      const { count, last } = await useUpTheDay(server, cora, clock)
      expect(count).toBe(1_940)
      expect(last.left[1]).toMatchObject({ name: `mcp-${kind}-day`, limit: 2_000, remaining: 0 })
    },
  )
}

verifies(
  'mcp.key-rate',
  'a key has the limits of the public API: 300 searches, 60 questions and 60 reports a minute, counted separately',
  async () => {
    stopTheClock()
    const server = await serveMcpTools(TOOLS)
    const most = { search_docs: 300, ask_question: 60, feedback: 60 }
    for (const [name, limit] of Object.entries(most)) {
      const answers = []
      for (let count = 0; count <= limit; count += 1) answers.push(await server.call(key('k'), name))
      expect([name, passed(answers), answers.at(-1)?.isError]).toEqual([name, limit, true])
      expect(answers.at(-1)?.text).toBe(
        `Left: 0 of ${limit} calls of this minute. Everyone who uses this key shares them. Try again in 60 s.`,
      )
    }
    expect((await server.call(key('other'), 'ask_question')).isError).toBe(false)
  },
  { tags: ['long'] },
)

verifies(
  ['mcp.public-rate', 'rate-limits.several-processes', 'mcp-servers.usage'],
  'processes with a shared database count a person together: of 200 parallel calls exactly 60 pass',
  async () => {
    await using storage = await openTestStorage()
    let counted = 0
    const countCall = () => void (counted += 1)
    const open = async () => {
      const rateLimits = await createRateLimits({
        isOn: true,
        executeShared: (text, values) => storage.execute(text, values),
      })
      return await serveMcpTools(TOOLS, { rateLimits, countCall })
    }
    const [one, other] = await Promise.all([open(), open()])
    const ada = person('public', 'reader:ada')
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, place) => (place % 2 === 0 ? one : other).call(ada, 'search_docs')),
    )

    expect([passed(answers), counted]).toEqual([60, 60])
    const refused = answers.find(({ isError }) => isError)
    expect(refused?.text).toMatch(
      /^Left: 0 of 60 calls of this minute, \d+ of 500 calls of this day\. Try again in \d+ s\.$/,
    )
  },
  { tags: ['long'] },
)

verifies(
  'mcp.requests-bounded',
  'listing tools and initialising do not count as calls, but are bounded: 300 requests a minute per person, 1,200 per key',
  async () => {
    const clock = stopTheClock()
    const server = await serveMcpTools(TOOLS)
    const ada = person('public', 'reader:ada')
    const statuses = []
    for (let count = 0; count < 301; count += 1) {
      const { status } = count % 2 === 0 ? await server.list(ada) : await server.initialize(ada)
      statuses.push(status)
    }
    expect([...new Set(statuses.slice(0, 300)), statuses[300]]).toEqual([200, 429])
    expect((await server.initialize(ada)).status).toBe(429)
    const refused = await server.list(ada)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    clock.goOn(MINUTE_MS)
    const first = await server.call(ada, 'search_docs')
    expect(first.left.map(({ remaining }) => remaining)).toEqual([59, 499])

    for (let count = 0; count < 1_198; count += 1) await server.countRequest(key('k'))
    const last = [await server.list(key('k')), await server.list(key('k')), await server.list(key('k'))]
    expect(last.map(({ status }) => status)).toEqual([200, 200, 429])
  },
)
