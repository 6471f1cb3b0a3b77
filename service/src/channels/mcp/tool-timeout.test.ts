import { verifies } from '@citewell/spec/verifies'
import { afterEach, expect, test, vi } from 'vitest'
import { NO_QUESTION_SETTINGS } from '../../../test/question-settings.ts'
import { serveMcpTools, type ToolCallAnswer } from '../../../test/serve-mcp-tools.ts'
import { testAddresses } from '../../../test/test-addresses.ts'
import type { AnyReader, McpReader, PortalReader, ReadableBase } from './mcp-reader.ts'
import { createPortalTools, createServerTools } from './tools/all-tools.ts'
import type { Tool } from './tools/tool.ts'
import { withToolTimeout } from './tool-timeout.ts'

afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})
const base: ReadableBase = {
  id: 'base',
  name: 'Acme',
  language: null,
  persona: null,
  tone: null,
  standing_instructions: null,
  ...NO_QUESTION_SETTINGS,
  groupIds: undefined,
  offersDocuments: true,
}
const person = { clientKeyId: undefined, serverName: undefined, includeRestricted: true }
const reader: McpReader = {
  ...person,
  kind: 'key',
  clientKeyId: 'k',
  userRef: undefined,
  base,
  serverId: undefined,
}
const portalReader: PortalReader = {
  ...person,
  kind: 'portal',
  userRef: 'mia',
  bases: [{ ...base, description: undefined }],
}

/** Rooms that never answer. */
const silent = {
  addresses: testAddresses,
  db: {} as never,
  search: { findPages: never },
  answering: {
    answerQuestion: async function* () {
      yield await never()
    },
  },
  reports: { keep: never },
}

/** The timeout of each tool in the contract, in seconds, with valid arguments. */
const ON_A_SERVER: Record<string, [number, Record<string, unknown>]> = {
  search_acme_knowledge_sources: [30, { query: 'keys' }],
  search_docs: [30, { query: 'keys' }],
  ask_question: [90, { question: 'How?' }],
  list_sources: [10, {}],
  get_documents: [10, { urls: ['https://docs.example.com/'] }],
  feedback: [10, { message: 'A gap.' }],
}
const AT_THE_PORTAL: typeof ON_A_SERVER = {
  list_knowledge_bases: [10, {}],
  search_docs: [30, { query: 'keys' }],
  ask_question: [90, { question: 'How?' }],
  list_sources: [10, {}],
  get_documents: [10, { urls: ['https://docs.example.com/'] }],
}

/** These tools run unchanged, because all their work is in a room that never answers; the work of the others is replaced by waiting. */
const RUNS_AS_IT_IS = new Set(['search_docs', 'search_acme_knowledge_sources', 'ask_question', 'feedback'])

const hanging = <Reader extends AnyReader>(
  tools: readonly Tool<Tool['input'], Reader>[],
  name: string,
  of: Reader,
) =>
  tools
    .filter((tool) => tool.names(of).includes(name))
    .map((tool) => (RUNS_AS_IT_IS.has(name) ? tool : { ...tool, run: never }))

/** Calls a tool that never finishes, and advances the clock until it is ended. */
async function endAfter(seconds: number, call: () => Promise<ToolCallAnswer>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isAnswered = false
  const answer = call().finally(() => {
    isAnswered = true
  })
  // The call is in flight when its timer runs.
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
  const wasEarly = isAnswered
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  await vi.waitUntil(() => isAnswered, { timeout: 2_000 })
  return { wasEarly, answer: await answer }
}

const ended = (seconds: number) => ({
  isError: true,
  text: `This took longer than ${seconds} seconds and was stopped. Ask for less, or try again.`,
})

test('the tables in this file name every tool', () => {
  const names = createServerTools(silent).flatMap((tool) => tool.names(reader))
  const ofPortal = createPortalTools(silent).flatMap((tool) => tool.names(portalReader))

  expect(names.toSorted()).toEqual(Object.keys(ON_A_SERVER).toSorted())
  expect(ofPortal.toSorted()).toEqual(Object.keys(AT_THE_PORTAL).toSorted())
})

for (const [name, [seconds, input]] of Object.entries(ON_A_SERVER)) {
  verifies('mcp.timeouts', `${name} of a server times out after ${seconds} s, not before`, async () => {
    const server = await serveMcpTools(hanging(createServerTools(silent), name, reader))
    const { wasEarly, answer } = await endAfter(seconds, () => server.call(reader, name, input))

    expect(wasEarly).toBe(false)
    expect(answer).toMatchObject(ended(seconds))
    expect(server.faults).toEqual([])
  })
}

for (const [name, [seconds, input]] of Object.entries(AT_THE_PORTAL)) {
  verifies('mcp.timeouts', `${name} of the portal times out after ${seconds} s, not before`, async () => {
    const server = await serveMcpTools(hanging(createPortalTools(silent), name, portalReader))
    const { wasEarly, answer } = await endAfter(seconds, () => server.call(portalReader, name, input))

    expect(wasEarly).toBe(false)
    expect(answer).toMatchObject(ended(seconds))
    expect(server.faults).toEqual([])
  })
}

test('a timeout aborts the signal of the tool, and a tool that finishes in time leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const left = new AbortController().signal
  const ended = Promise.withResolvers<unknown>()
  const late = withToolTimeout(5, left, async (signal) => {
    signal.addEventListener('abort', () => ended.resolve(signal.reason))
    return await never()
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await late).isError).toBe(true)
  expect(await ended.promise).toMatchObject({ code: 'timeout' })

  await withToolTimeout(5, left, () => Promise.resolve({ content: [] }))
  expect(vi.getTimerCount()).toBe(0)
})
