import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { GOOD_PASSWORD } from '../../../test/account-world.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService

beforeAll(async () => {
  citewell = await startTestService({ CITEWELL_BOOTSTRAP_TOKEN: '' })
})
afterAll(() => citewell[Symbol.asyncDispose]())

test('the set-up link opens the dashboard signed in, for one browser and one press of its button', async () => {
  await using other = await startTestService({ CITEWELL_BOOTSTRAP_TOKEN: '' })
  const link = other.service.setupLink ?? ''
  const owner = openScriptedBrowser()
  // A prefetcher and a mail scanner follow it; the link still works afterwards.
  for (let visit = 0; visit < 3; visit += 1) await openScriptedBrowser().go(link, [])
  const page = await owner.go(link, [])
  const forged = await openScriptedBrowser().press(page, 'Open the dashboard', [])
  const opened = await owner.press(page, 'Open the dashboard', [`${other.address}start`])
  const stranger = openScriptedBrowser()
  const late = await stranger.go(link, [])
  const hasPassword = async () =>
    /"has_password":\w+/.exec((await owner.go(new URL('/api/v1/me', other.address), [])).html)?.[0]
  const before = await hasPassword()
  const account = await owner.go(new URL('/account', other.address), [])
  const named = await owner.press(account, 'Set password', [], {
    email: 'ada@example.com',
    password: GOOD_PASSWORD,
  })

  expect(forged.response.status).toBe(403)
  expect(opened.url.pathname).toBe('/start')
  expect([late.response.status, late.html.includes('already used')]).toEqual([404, true])
  expect((await stranger.go(new URL('/account', other.address), [])).url.pathname).toBe('/sign-in')
  expect(named.html).toContain('ada@example.com')
  expect(named.html).toContain('Your password is set')
  expect([before, await hasPassword()]).toEqual(['"has_password":false', '"has_password":true'])
})

test('the set-up link creates the owner’s account with its first access token, once', async () => {
  const link = citewell.service.setupLink ?? ''
  const browser = openScriptedBrowser()
  await browser.go(link, [])
  const page = await browser.go(link, [])
  const typed = { email: 'ada@example.com', password: GOOD_PASSWORD }
  const noAddress = await browser.press(page, 'Make the account', [], { ...typed, email: 'ada' })
  const weak = await browser.press(page, 'Make the account', [], { ...typed, password: 'short' })
  const forged = await openScriptedBrowser().press(page, 'Make the account', [], typed)
  const made = await browser.press(page, 'Make the account', [], typed)
  const again = await browser.press(page, 'Make the account', [], typed)
  const me = await citewell.fetch('/api/v1/me', {
    headers: { authorization: `Bearer ${/cw_pat_\w+/.exec(made.html)?.[0] ?? ''}` },
  })
  const links = [...made.html.matchAll(/<a href="([^"]+)">/g)].map(
    ([, to = '']) => new URL(to, citewell.address),
  )
  const broken = []
  for (const link of links) {
    const { response, html } = await browser.go(link, [])
    if (!response.ok || !html.includes(link.hash === '' ? '' : `id="${link.hash.slice(1)}"`))
      broken.push(link.href)
  }
  const account = await browser.go(new URL('/account', citewell.address), [])

  const statuses = [noAddress, weak, forged, made, again].map(({ response }) => response.status)
  expect(statuses).toEqual([400, 400, 403, 200, 404])
  expect(await me.json()).toMatchObject({
    user: { email: 'ada@example.com' },
    workspaces: [{ role: 'owner' }],
  })
  expect(links.map(({ pathname, hash }) => pathname + hash)).toEqual([
    '/docs#createKnowledgeBase',
    '/docs#createMcpServer',
    '/docs',
    '/account',
  ])
  expect(broken).toEqual([])
  expect(account.html).toContain('ada@example.com')
})
