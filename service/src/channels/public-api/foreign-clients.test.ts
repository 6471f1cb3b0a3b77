import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startChoppingProxy, type ChoppingProxy } from '../../../test/chopping-proxy.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { FOREIGN_SSE_CLIENTS } from '../../../test/foreign-sse-clients.ts'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { parseJson } from '../../kernel/json.ts'

/** Text that is hard to transmit: multi-byte characters, line ends, text that looks like an event, and JSON syntax. */
const PIECES = [
  'Signing keys are rotated every day at midnight [1].\n\n',
  'Schlüssel, 鍵, 🔑👩‍💻 and \u2028 or \u2029 too.\r\n',
  'data: {"done": true}\n\nevent: fake\n\n',
  '"quotes" \\ and \t tabs.',
]

let storage: TestStorage
let llm: FakeLlm
let api: Awaited<ReturnType<typeof startPublicApi>>
let proxy: ChoppingProxy
let base: Awaited<ReturnType<typeof api.makeAskable>>

/** The same random numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(fakeLlm.says(...PIECES))
  api = await startPublicApi({ storage, modelUrl: llm.baseUrl, limits: { chatPerAddress: 0, chatPerKey: 0 } })
  base = await api.makeAskable([
    {
      title: 'Rotating signing keys',
      text: 'Signing keys are rotated every day at midnight. Schlüssel, 鍵, 🔑.',
    },
  ])
  proxy = await startChoppingProxy(api.address, seeded(4711), 5)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
  await storage.close()
})

for (const [name, read] of Object.entries(FOREIGN_SSE_CLIENTS)) {
  verifies(
    'chat.foreign-clients',
    `${name} reads every frame of an answer that is cut at random bytes`,
    async () => {
      for (let round = 0; round < 3; round += 1) {
        const events = await read({
          url: `${proxy.address}/api/v1/public/knowledge-bases/${base.id}/chat`,
          headers: { 'x-client-key': base.key, 'content-type': 'application/json' },
          body: JSON.stringify({ query: 'When are signing keys rotated? 鍵' }),
        })

        const frames = events.map(({ data }) => parseJson(data) as Record<string, unknown> | undefined)
        expect(frames.length).toBeGreaterThan(2)
        expect(frames).not.toContain(undefined)
        for (const { event } of events) expect(event ?? '').toBe('')
        expect(frames[0]).toMatchObject({ done: false, citations: [{ title: 'Rotating signing keys' }] })
        expect(frames.filter((frame) => frame?.['done'] === true)).toHaveLength(1)
        const last = frames.at(-1)
        expect(last?.['done']).toBe(true)
        const streamed = frames
          .map((frame) => (typeof frame?.['delta'] === 'string' ? frame['delta'] : ''))
          .join('')
        expect(last?.['answer'] ?? streamed).toContain('Schlüssel, 鍵, 🔑👩‍💻 and \u2028 or \u2029 too.')
        expect(streamed).toContain('data: {"done": true}')
      }
    },
  )
}
