import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

let at: SignedInDashboard
let page: Page
let open: SignedInDashboard['open']
let base: { id: string }

beforeAll(async () => {
  at = await openSharedDashboard()
  ;({ page, open } = at)
  base = await at.citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const source = await at.citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/sources`,
    {
      type: 'push',
      name: 'Docs',
      config: {},
    },
  )
  await at.citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Rotating keys',
        url: 'https://docs.example.com/keys',
        markdown:
          '# Rotating keys\n\nKeys are rotated every day at midnight, UTC. The old key stops working within a minute.',
      },
    ],
  })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})

test(
  'a follow-up question comes to the top of the window when it is asked, and nobody is pulled along while it is answered',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    const busy = page.locator('article[aria-busy="true"]')
    const heading = page.getByRole('log').getByRole('heading').last()
    const top = async () => Math.round((await heading.boundingBox())?.y ?? -1)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of [`/kb/${base.id}/ask`, '/ask']) {
      for (const size of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size)
        await open(path)
        const tops: number[] = []
        for (const [at, question] of ['When are keys rotated?', 'And when at night?', 'Why?'].entries()) {
          await page.getByLabel('Your question').fill(question)
          await page.keyboard.press('Enter')
          await page.getByRole('log').getByRole('article').nth(at).waitFor()
          await busy.waitFor({ state: 'detached' })
          tops.push(await top())
        }
        expect(tops.slice(1), `${path} ${size.width}`).toEqual([64, 64])
        await page.getByLabel('Your question').fill('When does the old key stop working?')
        await page.keyboard.press('Enter')
        await expect.poll(top).toBe(64)
        await page.evaluate(() => scrollTo(0, 0))
        await busy.waitFor({ state: 'detached' })
        expect(await page.evaluate(() => scrollY)).toBe(0)
      }
    }
    await page.emulateMedia({ reducedMotion: null })
    await page.setViewportSize({ width: 1280, height: 800 })
  },
)

test(
  'a question that comes to the list of earlier ones leaves the answers where they are',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    const listed = page.getByRole('group').filter({ hasText: 'Your questions' }).getByRole('link')
    const turns = page.getByRole('log').getByRole('article')
    const ask = async (question: string, at: number) => {
      await page.getByLabel('Your question').fill(question)
      await page.keyboard.press('Enter')
      await turns.nth(at).waitFor()
      await page.locator('article[aria-busy="true"]').waitFor({ state: 'detached' })
    }
    const top = async () => Math.round((await turns.last().boundingBox())?.y ?? -1)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // So many that some of them stand beside the answers.
    for (let made = 0; made < 6; made += 1) {
      await open('/ask')
      await ask('When are keys rotated, and when does the old key of before stop working?', 0)
    }
    await open('/ask')
    await listed.nth(5).waitFor()
    const before = await listed.count()
    const held = Promise.withResolvers<undefined>()
    const lists = '**/api/v1/me/conversations?*'
    await page.route(lists, async (route) => {
      await held.promise
      await route.continue()
    })
    await ask('When are keys rotated?', 0)
    await ask('And when at night?', 1)
    const seen = await top()
    expect(
      await listed
        .last()
        .boundingBox()
        .then((box) => (box?.y ?? 0) + (box?.height ?? 0)),
    ).toBeGreaterThan(64)
    held.resolve(undefined)
    await expect.poll(async () => await listed.count()).toBe(before + 1)
    expect(await top()).toBe(seen)
    await page.unroute(lists)
    await page.emulateMedia({ reducedMotion: null })
  },
)
