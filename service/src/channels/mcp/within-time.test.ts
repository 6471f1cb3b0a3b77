import { verifies } from '@citewell/spec/verifies'
import { afterEach, expect, test, vi } from 'vitest'
import { serveMcpTools } from '../../../test/serve-mcp-tools.ts'
import type { McpReader } from './mcp-reader.ts'
import { createAskQuestion } from './tools/ask-question.ts'
import { createListSources } from './tools/list-sources.ts'
import { createSearchDocs } from './tools/search-docs.ts'
import type { Tool } from './tools/tool.ts'
import { withinTime } from './within-time.ts'

afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})
const reader: McpReader = {
  kind: 'key',
  clientKeyId: 'k',
  userRef: undefined,
  serverName: undefined,
  includeRestricted: false,
  base: {
    id: 'base',
    name: 'Acme',
    language: undefined,
    persona: undefined,
    tone: undefined,
    standingInstructions: undefined,
    groupIds: undefined,
    offersDocuments: false,
  },
}

/** The tools as they are, before rooms that never answer; each with words that it takes. */
const TOOLS: [number, Tool, Record<string, unknown>][] = [
  [
    90,
    createAskQuestion({
      answering: {
        answerQuestion: async function* () {
          yield await never()
        },
      },
    }),
    { question: 'How?' },
  ],
  [30, createSearchDocs({ search: { findPages: never } }), { query: 'keys' }],
  [10, createListSources({ db: {} as never }), {}],
]

for (const [seconds, tool, input] of TOOLS) {
  verifies('mcp.timeouts', `${tool.names(reader)[0]} is ended after ${seconds} s, not before`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const name = tool.names(reader)[0] ?? ''
    const hanging = name === 'list_sources' ? { ...tool, run: never } : tool
    const server = await serveMcpTools([hanging])
    let isAnswered = false
    const answer = server.call(reader, name, input).finally(() => {
      isAnswered = true
    })
    // The call is under way once its clock runs.
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
    expect(isAnswered).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    await vi.waitUntil(() => isAnswered, { timeout: 2_000 })

    expect(await answer).toMatchObject({
      isError: true,
      text: `This took longer than ${seconds} seconds and was ended. Ask for less, or try again.`,
    })
    expect(server.faults).toEqual([])
  })
}

test('a tool that looks at its signal is told, and one that is done in time leaves no clock behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const left = new AbortController().signal
  const ended = Promise.withResolvers<unknown>()
  const late = withinTime(5, left, async (signal) => {
    signal.addEventListener('abort', () => ended.resolve(signal.reason))
    return await never()
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await late).isError).toBe(true)
  expect(await ended.promise).toMatchObject({ code: 'timeout' })

  await withinTime(5, left, () => Promise.resolve({ content: [] }))
  expect(vi.getTimerCount()).toBe(0)
})
