import type { Page } from 'playwright-core'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../service/test/fake-site.ts'
import { faultsOfScreens } from './page-faults.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

let at: SignedInDashboard
let citewell: SignedInDashboard['citewell']
let site: FakeSite
let page: Page
let open: SignedInDashboard['open']
let complaints: string[]

beforeAll(async () => {
  at = await openSharedDashboard()
  ;({ citewell, page, open, complaints } = at)
  site = await startFakeSite({
    '/': htmlPage('Acme docs', 'Welcome to the documentation of Acme.', { links: ['/keys'] }),
    '/keys': htmlPage(
      'Rotating keys',
      'Keys are rotated every day at midnight, UTC. The old key stops working within a minute.',
    ),
  })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

test('who is not signed in is sent to sign in, and comes back to where they wanted to go', async () => {
  const answer = await fetch(new URL('/kb/some-base/sources?x=1', citewell.address), { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    '/sign-in?to=%2Fkb%2Fsome-base%2Fsources%3Fx%3D1',
  ])
  const home = await fetch(citewell.address)
  expect(await home.text()).not.toContain('id="app"')
})

test('the files of the dashboard are compressed, cached for ever, and no part of an address becomes a path', async () => {
  await open('/')
  const script = await page.locator('script[src]').getAttribute('src')
  const send = async (path: string, headers: Record<string, string> = {}) =>
    await fetch(new URL(path, citewell.address), { headers: { 'accept-encoding': 'br', ...headers } })
  const answer = await send(script ?? '')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(await answer.text()).toContain('Citewell')
  for (const path of ['/dashboard/nothing.js', '/dashboard/..%2findex.html', '/dashboard/index.html'])
    expect((await send(path)).status).toBe(404)
})

verifies(
  'permissions.sessions',
  'a person makes a base, previews and reads a site, asks, and finds the question again, without a token',
  async () => {
    await open('/')
    await page
      .getByRole('button', { name: /Make the first|New knowledge base/ })
      .first()
      .click()
    await page.getByLabel('Name').fill('Acme docs')
    await page.getByRole('button', { name: 'Create knowledge base' }).click()

    await page.getByLabel('Address').fill(`${site.origin}/`)
    await page.getByRole('button', { name: 'Show what would be read' }).click()
    await page.getByRole('region', { name: 'Pages that would be read' }).getByText('Rotating keys').waitFor()
    await page.getByRole('button', { name: 'Add and read it' }).click()
    await page.getByText('Up to date').waitFor()

    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByLabel('Your question').fill('When are keys rotated?')
    await page.keyboard.press('Enter')
    await page.getByText(/✓ Covered/).waitFor()
    expect(await page.getByRole('log').textContent()).toContain('Keys are rotated every day at midnight')
    await page
      .getByRole('button', { name: /^Source 1/ })
      .first()
      .click()
    expect(await page.getByRole('complementary').textContent()).toContain('Rotating keys')

    // How the answer came about is one press away.
    expect(await page.getByRole('link', { name: 'Trace', exact: true }).getAttribute('href')).toMatch(
      /^\/kb\/.+\/traces\/.+/,
    )

    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('link', { name: 'When are keys rotated?' }).click()
    await page.getByRole('heading', { name: 'Conversation', exact: true }).waitFor()
    await page.getByText('Keys are rotated every day at midnight').first().waitFor()
    expect(complaints).toEqual([])
  },
  180_000,
)

test('a question that is not covered leads from its trace to an answer, which is given from then on', async () => {
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
  const base = data[0]?.id
  const askNow = async (question: string) => {
    await open(`/kb/${base}/ask`)
    await page.getByLabel('Your question').fill(question)
    await page.keyboard.press('Enter')
    await page.getByText(/[✓▲] (?:Not covered|Covered)/).waitFor()
    return (await page.getByRole('log').textContent()) ?? ''
  }
  const question = 'Which Terraform provider belongs to the billing portal?'
  expect(await askNow(question)).toContain('▲ Not covered')

  await page.getByRole('link', { name: 'Conversations' }).click()
  await page.getByRole('link', { name: question }).click()
  await page.getByRole('link', { name: 'Trace', exact: true }).click()
  await page.getByRole('button', { name: 'Ask it again' }).click()
  await page.getByText('The answer would be the same today.').waitFor()
  await page.getByRole('link', { name: 'Write an answer to this question' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Question').inputValue()).toBe(question)
  const answer = dialog.getByRole('textbox', { name: 'Answer' })
  await answer.fill('Use **acme/first**.\n\nOr its successor.\n\nOr none.')
  await dialog.getByText('acme/first', { exact: true }).waitFor()
  // What is shown below it follows each change, also of what stands far above the end.
  await answer.fill('Use the provider **acme/billing**, version 2.')
  await dialog.getByText('acme/first', { exact: true }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save the answer' }).click()
  await page.getByRole('region', { name: 'Custom answers' }).getByText(question).waitFor()

  const answered = await askNow(question)
  expect(answered).toContain('✓ Covered')
  expect(answered).toContain('acme/billing')
  expect(complaints).toEqual([])
}, 120_000)

test('conversations are found by their words, where and when they were asked, and exported so', async () => {
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
  await open(`/kb/${data[0]?.id}/conversations`)
  const found = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
  const exported = page.getByRole('link', { name: 'Export CSV' })
  await page.getByLabel('Words of a question or answer').fill('terraform billing')
  await expect
    .poll(async () => [...new Set(await found.allTextContents())])
    .toEqual(['Which Terraform provider belongs to the billing portal?'])
  await page.getByRole('combobox', { name: 'Where' }).selectOption('Team')
  const today = new Date().toISOString().slice(0, 10)
  await page.getByLabel('First day').fill(today)
  await expect.poll(() => page.url()).toContain(`from=${today}`)
  await expect
    .poll(async () => await exported.getAttribute('href'))
    .toContain(`export?text=terraform+billing&surface=team&from=${today}&format=csv`)
  // The address alone shows the same.
  await page.reload()
  await found.first().waitFor()
  expect(await page.getByLabel('Words of a question or answer').inputValue()).toBe('terraform billing')
  await page.getByRole('combobox', { name: 'Where' }).selectOption('Widget')
  await page.getByText('No conversations found. Change or remove a filter.').waitFor()
  await page.getByRole('combobox', { name: 'Where' }).selectOption('Everywhere')
  await found.first().waitFor()
  await page.getByLabel('Last day').fill('2020-01-01')
  await page.getByText('No conversations found').waitFor()
})

test('a public key is copied from its list, and its name and origins are changed', async () => {
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
  const path = `/api/v1/knowledge-bases/${data[0]?.id}`
  const group = await citewell.json<{ id: string }>('POST', `${path}/source-groups`, { name: 'Version 2' })
  const made = await citewell.json<{ id: string; key: string }>('POST', `${path}/client-keys`, {
    name: 'Websit',
    allowed_origins: ['https://docs.example.com'],
  })
  await at.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(`/kb/${data[0]?.id}/keys`)
  await page.getByRole('button', { name: 'Copy the key of Websit' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(made.key)
  await page.getByRole('button', { name: 'Change Websit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Website')
  await dialog.getByLabel('Allowed origins').fill('https://docs.example.com\nhttps://*.example.org')
  await dialog.getByLabel('Version 2').check()
  await dialog.getByRole('button', { name: 'Save the key' }).click()
  await page.getByText('The key was saved.').waitFor()
  const kept = await citewell.json<{ data: object[] }>('GET', `${path}/client-keys`)
  expect(kept.data).toContainEqual(
    expect.objectContaining({
      id: made.id,
      name: 'Website',
      allowed_origins: ['https://docs.example.com', 'https://*.example.org'],
      allowed_source_group_ids: [group.id],
    }),
  )
  await citewell.json('DELETE', `/api/v1/client-keys/${made.id}`)
})

test('every screen is free of accessibility faults, in light and dark, wide and narrow', async () => {
  const me = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
  const [workspace, base] = [me.workspaces[0]?.id, data[0]?.id]
  const list = async (of: string) =>
    (await citewell.json<{ data: { id: string }[] }>('GET', `/api/v1/knowledge-bases/${base}/${of}`)).data
  const [conversation] = await list('conversations')
  const documents = await list('documents')
  const { messages } = await citewell.json<{ messages: { id: string }[] }>(
    'GET',
    `/api/v1/conversations/${conversation?.id}`,
  )
  const screens = [
    `/w/${workspace}`,
    `/w/${workspace}/members`,
    `/w/${workspace}/activity`,
    `/w/${workspace}/plan`,
    `/kb/${base}`,
    `/kb/${base}/ask`,
    `/kb/${base}/sources`,
    `/kb/${base}/sources/new`,
    `/kb/${base}/documents`,
    `/kb/${base}/analytics`,
    `/kb/${base}/conversations`,
    `/kb/${base}/conversations/${conversation?.id}`,
    `/kb/${base}/traces/${messages[0]?.id}`,
    `/kb/${base}/answers`,
    `/kb/${base}/documents/${documents[0]?.id}`,
    `/kb/${base}/widgets`,
    `/kb/${base}/keys`,
    `/kb/${base}/settings`,
    `/kb/${base}/settings/answers`,
    `/kb/${base}/settings/privacy`,
    `/kb/${base}/settings/access`,
    `/kb/${base}/settings/danger`,
    `/w/${workspace}/settings`,
    '/me',
    '/instance',
    '/kb/no-such-base',
  ]
  expect(await faultsOfScreens(page, screens, open)).toEqual({})
}, 300_000)

test('settings that two people change at the same time keep what both wrote', async () => {
  const { data } = await citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
  const path = `/api/v1/knowledge-bases/${data[0]?.id}`
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(`/kb/${data[0]?.id}/settings`)
  await page.getByLabel('Description').fill('About keys')
  await citewell.json('PATCH', path, { persona: 'A librarian', respect_robots_txt: false })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The settings were saved.').waitFor()
  await page.getByRole('link', { name: 'Answers', exact: true }).click()
  await page.getByLabel('Tone').fill('Calm and short')
  await citewell.json('PATCH', path, { starter_questions: { mode: 'none' } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await citewell.json<{ tone: string | null }>('GET', path)).tone)
    .toBe('Calm and short')

  expect(await citewell.json('GET', path)).toMatchObject({
    description: 'About keys',
    persona: 'A librarian',
    respect_robots_txt: false,
    starter_questions: { mode: 'none' },
  })
})

test('signing out ends the session', async () => {
  await open('/me')
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/me'))
  await open('/me')
  await page.waitForURL(/\/sign-in/)
  expect(new URL(page.url()).search).toBe('?to=%2Fme')
  await at.signInAgain(at.email, page)
})

test('a session that ends sends the person to sign in, and back to the same screen', async () => {
  await open('/me')
  await page.getByRole('heading', { name: 'Your settings' }).waitFor()
  const visits: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) visits.push(new URL(request.url()).pathname)
  })
  await citewell.json('DELETE', '/api/v1/me/sessions')
  await page.getByRole('link', { name: 'Citewell' }).first().click()
  await page.waitForURL(/\/sign-in/)
  expect(page.url()).toContain('?to=%2F')
  expect(visits).toEqual(['/sign-in'])
})
