import { expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createOpenAiCompatibleModel } from './openai-compatible-model.ts'
import { createModelFetch } from './outbound-fetch.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

const question = (signal: AbortSignal) => ({
  messages: [{ role: 'user' as const, content: 'Hello?' }],
  maxOutputTokens: 50,
  signal,
})

const throughOutbound = (baseUrl: string, outbound: ReturnType<typeof createOutbound>) =>
  createOpenAiCompatibleModel(
    { baseUrl, apiKey: undefined, model: 'fake' },
    { fetch: createModelFetch(outbound, 'operator'), random: () => 0 },
  )

test(
  'a model of the operator is called through the SSRF guard, and its connection is closed within 250 ms of an abort',
  TIME_LIMIT,
  async () => {
    const outbound = createOutbound({ allowPrivateNetwork: false })
    await using llm = await startFakeLlm(fakeLlm.neverEnds('.'))
    const leaving = new AbortController()
    const text = throughOutbound(llm.baseUrl, outbound).write(question(leaving.signal))
    expect((await text.next()).value).toBe('.')
    const aborted = llm.nextAbort()
    const leftAt = performance.now()
    leaving.abort()
    expect(((await aborted).abortedAt ?? Infinity) - leftAt).toBeLessThan(250)
    await outbound.close()
  },
)

test('a metadata address is reported as misconfigured', async () => {
  const outbound = createOutbound({ allowPrivateNetwork: true })
  const text = throughOutbound('http://169.254.169.254/v1', outbound).write(
    question(new AbortController().signal),
  )
  await expect(text.next()).rejects.toMatchObject({ code: 'misconfigured' })
  await outbound.close()
})
