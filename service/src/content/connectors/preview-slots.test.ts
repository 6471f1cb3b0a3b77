import { verifies } from '@citewell/spec/verifies'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeSite } from '../../../test/fake-site.ts'
import { startTestService } from '../../../test/start-service.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createPreviewSlots } from './preview-slots.ts'
import { findChromium } from './website/find-chromium.ts'

const { signal } = new AbortController()

/** Previews that last until the test ends them. */
function makeSlots(maxWaitMs = 5_000) {
  const places = createPreviewSlots({ isCounted: false, maxWaitMs })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const preview = (userId: string, given = signal) =>
    places.run({ userId, knowledgeBaseId: userId }, given, async () => {
      begun.push(userId)
      await new Promise<void>((resolve) => ends.push(resolve))
      return userId
    })
  return { preview, begun, ends }
}
const turns = async () => await new Promise((resolve) => setTimeout(resolve, 20))
const codeOf = async (attempt: Promise<unknown>) =>
  await attempt.then(
    () => 'answered',
    (error: unknown) => (error instanceof Refusal ? error : String(error)),
  )

test('one preview per person and two in total run concurrently, taking turns', async () => {
  const { preview, begun, ends } = makeSlots()
  const all = ['ann', 'ann', 'bob', 'cid'].map((person) => preview(person))
  await turns()
  expect(begun).toEqual(['ann', 'bob'])
  ends.shift()?.()
  await turns()
  expect(begun).toEqual(['ann', 'bob', 'cid'])
  for (let left = 0; left < 3; left += 1) {
    ends.shift()?.()
    await turns()
  }
  expect(await Promise.all(all)).toEqual(['ann', 'ann', 'bob', 'cid'])
})

verifies(
  'sources.preview-limits',
  'a preview that would wait too long, or whose person already has one waiting, is refused with Retry-After',
  async () => {
    const { preview, ends } = makeSlots(50)
    const first = preview('ann')
    const refused = await codeOf(preview('ann'))
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 10 })
    const waiting = [preview('ann'), preview('ann')].map(codeOf)
    expect(await codeOf(preview('ann'))).toMatchObject({ code: 'RATE_LIMITED' })
    await Promise.all(waiting)
    ends.shift()?.()
    expect(await first).toBe('ann')
  },
)

test('a preview leaves the queue when its client disconnects', async () => {
  const { preview, begun, ends } = makeSlots()
  const first = preview('ann')
  const leaving = new AbortController()
  const second = preview('ann', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  ends.shift()?.()
  await first
  expect(begun).toEqual(['ann'])
})

const chromium = await findChromium(undefined)

describe.skipIf(chromium === undefined)('previews of pages with scripts', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'citewell-starts-'))
    await chmod(folder, 0o777)
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  test(
    'previews share one browser, and end when their clients disconnect',
    { timeout: 120_000, tags: ['long'] },
    async () => {
      const starts = join(folder, 'starts')
      await writeFile(starts, '')
      await chmod(starts, 0o666)
      const counting = join(folder, 'chromium')
      await writeFile(counting, `#!/bin/sh\necho started >> ${starts}\nexec ${chromium} "$@"\n`)
      await chmod(counting, 0o755)
      await using site = await startFakeSite({
        '/': {
          headers: { 'content-type': 'text/html' },
          body: `<title>App</title><main></main><script>document.querySelector('main').textContent = 'Written by a script. '.repeat(30)</script>`,
        },
        '/silent': () => undefined,
      })
      await using citewell = await startTestService({ CITEWELL_CHROMIUM_PATH: counting })
      const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
        name: 'Previews',
      })
      const path = `/api/v1/knowledge-bases/${base.id}/sources/preview`
      const body = (start: string) => ({
        type: 'website',
        config: { start_urls: [`${site.origin}${start}`], render_js: true },
        limit: 1,
      })
      const previews = await Promise.all(
        Array.from(
          { length: 3 },
          async () => await citewell.json<{ pages: unknown[] }>('POST', path, body('/')),
        ),
      )
      expect(previews.map(({ pages }) => pages.length)).toEqual([1, 1, 1])
      expect((await readFile(starts, 'utf8')).trim()).toBe('started')

      const leaving = new AbortController()
      const left = citewell.fetch(path, {
        method: 'POST',
        headers: { authorization: 'Bearer owner-token-of-the-tests', 'content-type': 'application/json' },
        body: JSON.stringify(body('/silent')),
        signal: leaving.signal,
      })
      while (!site.requests.some((asked) => asked.path === '/silent')) await turns()
      leaving.abort()
      await expect(left).rejects.toThrow(/abort/)
      // Its slot is free: another preview of the same person starts immediately.
      const next = await citewell.json<{ pages: unknown[] }>('POST', path, body('/'))
      expect(next.pages).toHaveLength(1)
    },
  )
})
