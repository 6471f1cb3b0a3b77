import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { createRateLimits } from '../../platform/rate-limits/rate-limits.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { TIME_LIMIT } from '../../../test/time-limit.ts'

/** Short intervals; the counts are the real ones. */
const TIMES = { accountSeconds: 1, addressSeconds: 2, patienceMs: 3_500 }

async function open() {
  const rateLimits = await createRateLimits({ isOn: true, executeShared: undefined })
  const throttle = createSignInThrottle(rateLimits, TIMES)
  let tried = 0
  const attempt = async (email: string, from: string, given: { works?: boolean; device?: string } = {}) =>
    await throttle
      .attempt({
        email,
        from,
        device: given.device,
        try: () => {
          tried += 1
          return Promise.resolve(given.works === true ? 'in' : undefined)
        },
      })
      .catch((fault: unknown) => (fault instanceof Refusal ? fault.code : fault))
  const failed = async (count: number, email: (at: number) => string, from: (at: number) => string) => {
    for (let at = 0; at < count; at += 1) await attempt(email(at), from(at))
  }
  return { throttle, attempt, failed, tried: () => tried }
}

const ADA = 'ada@example.com'

verifies(
  'sign-in.nobody-locked-out',
  'a member who knows the password signs in while others guess it',
  async () => {
    const { attempt, failed } = await open()
    await failed(
      10,
      () => ADA,
      (at) => `203.0.${at}.1`,
    )
    const begun = performance.now()
    expect(await attempt(ADA, '198.51.100.7', { works: true })).toBe('in')
    expect(performance.now() - begun).toBeLessThan(TIMES.patienceMs)
  },
  TIME_LIMIT,
)

verifies(
  'sign-in.nobody-locked-out',
  'an endless flood keeps out neither a known nor a new browser, and is let through one attempt at a time',
  async () => {
    const { attempt, failed, tried } = await open()
    await failed(
      10,
      () => ADA,
      (at) => `203.0.${at}.1`,
    )
    const before = tried()
    const begun = performance.now()
    const over = new AbortController()
    const flood = Array.from({ length: 6 }, async (_, at) => {
      while (!over.signal.aborted) {
        await attempt(ADA, `203.0.${at}.1`)
        await new Promise((wake) => {
          setTimeout(wake, 20)
        })
      }
    })
    expect(await attempt(ADA, '', { works: true, device: 'a browser of hers' })).toBe('in')
    expect(performance.now() - begun).toBeLessThan(900)
    let isIn = false
    for (let round = 0; round < 30 && !isIn; round += 1)
      isIn = (await attempt(ADA, '198.51.100.7', { works: true })) === 'in'
    over.abort()
    await Promise.all(flood)
    const seconds = (performance.now() - begun) / 1_000

    expect(isIn).toBe(true)
    expect(tried() - before).toBeLessThanOrEqual(seconds / TIMES.accountSeconds + 3)
  },
  { ...TIME_LIMIT, timeout: 120_000, tags: ['long'] },
)

verifies('sign-in.throttled', 'parallel attempts do not bypass the count', async () => {
  const { attempt, tried } = await open()
  await Promise.all(Array.from({ length: 60 }, async (_, at) => await attempt(ADA, `203.0.${at}.1`)))
  expect(tried()).toBeLessThanOrEqual(10 + TIMES.patienceMs / 1_000 / TIMES.accountSeconds + 1)
})

verifies(
  'sign-in.throttled',
  'an address with thirty failures is slowed down, and slows down no account',
  async () => {
    const { attempt, failed, tried } = await open()
    await failed(
      30,
      (at) => `nobody${at}@example.com`,
      () => '203.0.113.1',
    )
    const before = tried()
    const codes = await Promise.all(Array.from({ length: 15 }, async () => await attempt(ADA, '203.0.113.1')))
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThan(10)
    expect(tried() - before).toBeLessThanOrEqual(3)

    const begun = performance.now()
    expect(await attempt(ADA, '198.51.100.7', { works: true })).toBe('in')
    expect(performance.now() - begun).toBeLessThan(900)
  },
  { ...TIME_LIMIT, tags: ['long'] },
)

verifies('sign-in.known-browser', 'a known browser with ten failures is treated like any other', async () => {
  const { attempt, tried } = await open()
  for (let at = 0; at < 10; at += 1) await attempt(ADA, '', { device: 'hers' })
  for (let at = 0; at < 10; at += 1) await attempt(ADA, '', { device: 'hers' })
  const begun = performance.now()
  await attempt(ADA, '', { device: 'hers' })
  await attempt(ADA, '', { device: 'hers' })
  expect(tried()).toBe(22)
  expect(performance.now() - begun).toBeGreaterThan(500)
})

test('an attempt that was not made, because the service was too busy, does not count as a failure', async () => {
  const opened = await open()
  const busy = () => Promise.reject(new Refusal('UNAVAILABLE'))
  for (let count = 0; count < 12; count += 1) {
    const tried = opened.throttle.attempt({ email: ADA, from: '', try: busy })
    await expect(tried).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  }
  expect(await opened.attempt(ADA, '', { works: true })).toBe('in')
})

test('an attempt whose client has disconnected stops waiting', async () => {
  const { throttle, failed } = await open()
  await failed(
    10,
    () => ADA,
    () => '',
  )
  const gone = new AbortController()
  const waiting = throttle.attempt({
    email: ADA,
    from: '',
    signal: gone.signal,
    try: () => Promise.resolve('in'),
  })
  const other = throttle.attempt({
    email: ADA,
    from: '',
    signal: gone.signal,
    try: () => Promise.resolve('in'),
  })
  gone.abort()
  const ended = await Promise.allSettled([waiting, other])
  expect(ended.map(({ status }) => status)).toContain('rejected')
})
