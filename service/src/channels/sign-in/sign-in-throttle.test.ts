import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { createRateLimits } from '../../platform/rate-limits/rate-limits.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

async function open() {
  const throttle = createSignInThrottle(await createRateLimits({ isOn: true, executeShared: undefined }))
  const attempt = async (email: string, from: string, works = false) =>
    await throttle
      .attempt({ email, from, try: () => Promise.resolve(works ? 'in' : undefined) })
      .catch((fault: unknown) => (fault instanceof Refusal ? fault.code : fault))
  return { throttle, attempt }
}

verifies('sign-in.throttled', 'an address that is refused already locks nobody’s account', async () => {
  const { attempt } = await open()
  for (let count = 0; count < 30; count += 1) await attempt(`nobody${count}@example.com`, '203.0.113.1')
  for (let count = 0; count < 15; count += 1)
    expect(await attempt('ada@example.com', '203.0.113.1')).toBe('RATE_LIMITED')

  expect(await attempt('ada@example.com', '198.51.100.7', true)).toBe('in')
})

test('an attempt that was not tried, since the service was too busy, is no failure', async () => {
  const opened = await open()
  const busy = () => Promise.reject(new Refusal('UNAVAILABLE'))
  for (let count = 0; count < 12; count += 1) {
    const tried = opened.throttle.attempt({ email: 'ada@example.com', from: '', try: busy })
    await expect(tried).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  }
  expect(await opened.attempt('ada@example.com', '', true)).toBe('in')
})
