import { verifies } from '@citewell/spec/verifies'
import { afterEach, expect, test, vi } from 'vitest'
import { openTestStorage } from '../../../test/test-storage.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { createRateLimits } from './rate-limits.ts'

afterEach(() => {
  vi.useRealTimers()
})

const perKey = { name: 'chat-key', most: 3, windowSeconds: 60 }
const perAddress = { name: 'chat-address', most: 2, windowSeconds: 60 }
const inMemory = () => createRateLimits({ isOn: true, executeShared: undefined })

test('a limit allows its number of requests in one window, and again in the next', async () => {
  vi.useFakeTimers()
  const limits = await inMemory()
  const take = async () => (await limits.take([{ limit: perKey, key: 'a' }]))[0]

  expect(await take()).toMatchObject({ isAllowed: true, remaining: 2, resetSeconds: 60 })
  vi.advanceTimersByTime(20_000)
  expect(await take()).toMatchObject({ isAllowed: true, remaining: 1, resetSeconds: 40 })
  expect(await take()).toMatchObject({ isAllowed: true, remaining: 0 })
  expect(await take()).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 40 })
  expect((await limits.take([{ limit: perKey, key: 'b' }]))[0]?.isAllowed).toBe(true)
  vi.advanceTimersByTime(40_000)
  expect(await take()).toMatchObject({ isAllowed: true, remaining: 2 })
})

test('a reader refused by a narrow limit does not use up the wider one', async () => {
  const limits = await inMemory()
  const ask = (address: string) =>
    limits.take([
      { limit: perAddress, key: address },
      { limit: perKey, key: 'shared' },
    ])

  for (let asked = 0; asked < 10; asked += 1) await ask('flood')

  const states = await ask('someone else')
  expect(states.map((state) => state.isAllowed)).toEqual([true, true])
})

verifies(
  ['rate-limits.settable', 'running.rate-limits'],
  'a limit of 0 does not limit, and neither do limits that are switched off',
  async () => {
    const on = await inMemory()
    expect(await on.take([{ limit: { ...perKey, most: 0 }, key: 'a' }])).toEqual([])
    const off = await createRateLimits({ isOn: false, executeShared: undefined })
    for (let asked = 0; asked < 10; asked += 1)
      expect(await off.take([{ limit: perKey, key: 'a' }])).toEqual([])
    expect(rateLimitHeaders([])).toEqual({})
  },
)

verifies(
  'rate-limits.headers',
  'the headers list each limit, and Retry-After is present only after a refusal',
  () => {
    const allowed = { limit: perAddress, isAllowed: true, remaining: 1, resetSeconds: 31 }
    const refused = { limit: perKey, isAllowed: false, remaining: 0, resetSeconds: 7 }

    expect(rateLimitHeaders([allowed])).toEqual({
      'RateLimit-Policy': '"chat-address";q=2;w=60',
      RateLimit: '"chat-address";r=1;t=31',
    })
    expect(rateLimitHeaders([allowed, refused])).toEqual({
      'RateLimit-Policy': '"chat-address";q=2;w=60, "chat-key";q=3;w=60',
      RateLimit: '"chat-address";r=1;t=31, "chat-key";r=0;t=7',
      'Retry-After': '7',
    })
  },
)

verifies(
  'rate-limits.several-processes',
  'several processes on one database share counters: of 200 concurrent requests exactly 60 pass',
  async () => {
    await using storage = await openTestStorage()
    const limit = { name: 'chat-key', most: 60, windowSeconds: 60 }
    const open = () =>
      createRateLimits({ isOn: true, executeShared: (text, values) => storage.execute(text, values) })
    const [one, other] = await Promise.all([open(), open()])

    const states = await Promise.all(
      Array.from({ length: 200 }, (_, place) => (place % 2 === 0 ? one : other).take([{ limit, key: 'a' }])),
    )

    expect(states.filter((state) => state[0]?.isAllowed === true)).toHaveLength(60)
    const refused = states.find((state) => state[0]?.isAllowed === false)
    expect(refused?.[0]).toMatchObject({ remaining: 0 })
    expect(refused?.[0]?.resetSeconds).toBeGreaterThan(50)
  },
)

test('requests are counted in memory while the shared database fails', async () => {
  let isDown = false
  const limits = await createRateLimits({
    isOn: true,
    executeShared: () =>
      isDown
        ? Promise.reject(new Error('connection lost'))
        : Promise.resolve({ rows: [{ points: 1, expire: null }] }),
  })
  isDown = true
  const states = []
  for (let asked = 0; asked < 4; asked += 1)
    states.push(...(await limits.take([{ limit: perKey, key: 'a' }])))
  expect(states.map((state) => state.isAllowed)).toEqual([true, true, true, false])
})

verifies(
  'rate-limits.clock',
  'a clock set back blocks no one for longer than a window, and one set forward ends the window',
  async () => {
    await using storage = await openTestStorage()
    const executeShared = (text: string, values?: unknown[]) => storage.execute(text, values)
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(new Date('2026-03-09T10:00:00.000Z'))
    const limits = await createRateLimits({ isOn: true, executeShared })
    const take = async () => (await limits.take([{ limit: perKey, key: 'a' }]))[0]
    for (let time = 0; time < 3; time += 1) await take()
    expect(await take()).toMatchObject({ isAllowed: false })

    vi.setSystemTime(new Date('2026-03-09T09:00:00.000Z'))
    expect(await take()).toMatchObject({ isAllowed: true, remaining: 2, resetSeconds: 60 })
    await take()
    await take()
    expect(await take()).toMatchObject({ isAllowed: false, resetSeconds: 60 })
    vi.setSystemTime(new Date('2026-04-09T09:00:00.000Z'))
    expect(await take()).toMatchObject({ isAllowed: true, remaining: 2 })
  },
)
