import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OWNER_TOKEN } from '../run-citewell.ts'
import { faultsOf } from './page-faults.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

let at: SignedInDashboard
let base: string

beforeAll(async () => {
  at = await openSharedDashboard()
  base = (await at.citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })).id
  await at.citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Handbook of the team' })
  const { id } = await at.citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base}/sources`, {
    type: 'push',
    name: 'Guides',
    config: {},
  })
  const documents = ['Rotating keys', 'Limits', 'Alarms'].map((title) => ({
    external_id: title,
    title,
    url: `https://docs.example.com/${title.toLowerCase().replaceAll(' ', '-')}`,
    markdown: `# ${title}\n\nAbout ${title}.`,
  }))
  await at.citewell.json('PUT', `/api/v1/sources/${id}/documents`, { documents })
  await at.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await at.open(`/kb/${base}`)
  await at.page.getByRole('heading', { level: 1 }).waitFor()
})

const palette = () => at.page.getByRole('dialog', { name: 'Find' })
const pathOf = () => new URL(at.page.url()).pathname

test('the palette opens by keys, finds screens, bases and documents, and goes there; Escape gives the focus back', async () => {
  const { page } = at
  await page.keyboard.press('Control+k')
  await palette().waitFor()
  expect(await faultsOf(at.page)).toEqual([])
  await page.keyboard.type('privac')
  await palette().getByRole('option', { name: 'Settings: Privacy' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/settings\/privacy$/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('rotating')
  await palette()
    .getByRole('option', { name: /Rotating keys/ })
    .click()
  await page.getByRole('heading', { name: 'Rotating keys', level: 1 }).waitFor()

  // Where no base is open, the one that was left is meant.
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('heading', { name: 'Ask', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('danger')
  await palette().getByRole('option', { name: 'Settings: Danger Zone' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === `/kb/${base}/settings/danger`)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('handb')
  await palette()
    .getByRole('option', { name: /Handbook of the team/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.includes(base))

  await page.keyboard.press('Control+k')
  await palette()
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: 'Rotating keys' })
    .waitFor()
  await page.keyboard.type('<img src=x onerror=alert(1)>')
  await palette().getByText('No results.').waitFor()
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'hidden' })
  expect(at.complaints).toEqual([])
})

test(
  'what is typed before the palette has come is meant for it, and reaches no dialog behind it',
  { tags: ['long'] },
  async () => {
    const { page } = at
    await at.open(`/w/${at.workspaceId}`)
    await page.getByRole('button', { name: 'New knowledge base' }).click()
    const behind = page.getByRole('dialog', { name: 'New knowledge base' })
    const name = behind.getByLabel('Name')
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/palette[^/]*\.js$/, async (route) => {
      await released
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('limitx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    expect([await name.inputValue(), await behind.count()]).toEqual(['', 1])
    release()
    await palette().waitFor()
    await page.unrouteAll()
    expect(await palette().getByRole('combobox').inputValue()).toBe('limit')
    expect(await name.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'hidden' })
  },
)

test(
  'the list of keys opens from the palette on a fresh page, by a click and by Enter, and takes the focus',
  { tags: ['long'] },
  async () => {
    const { page } = at
    const sheet = page.getByRole('dialog', { name: 'Keyboard' })
    for (const isClicked of [true, false]) {
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await palette().waitFor()
      await page.keyboard.type('all keys')
      const option = palette().getByRole('option', { name: 'Show all keys' })
      await option.waitFor()
      await (isClicked ? option.click() : page.keyboard.press('Enter'))
      await sheet.waitFor()
      await palette().waitFor({ state: 'hidden' })
      await expect.poll(() => sheet.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)
      expect(await sheet.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'hidden' })
    }
  },
)

test('letters go to screens, to rows and to the filter, and do nothing in fields or after they were switched off', async () => {
  const { page } = at
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.waitForURL(/\/documents/)
  await page.getByRole('link', { name: 'Alarms' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('/')
  const filter = page.getByRole('searchbox', { name: 'Title or address contains' })
  await expect.poll(() => filter.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('gk?jlimits')
  expect(await filter.inputValue()).toBe('gk?jlimits')
  expect(pathOf()).toBe(`/kb/${base}/documents`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await filter.fill('')
  await page.getByRole('link', { name: 'Alarms' }).waitFor()

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard' })
  await sheet.waitFor()
  expect(await faultsOf(at.page)).toEqual([])
  await sheet.getByLabel('Single keys').uncheck()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('Shift+?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(pathOf()).toBe(`/kb/${base}/documents`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('show all keys')
  await palette().getByRole('option', { name: 'Show all keys' }).waitFor()
  await page.keyboard.press('Enter')
  await sheet.getByLabel('Single keys').check()
  await page.keyboard.press('Escape')

  // The browser's own keys stay the browser's.
  const isLeftAlone = await page.evaluate(() =>
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true }),
    ),
  )
  expect(isLeftAlone).toBe(true)
})

test('a change is copied as a command that a shell understands, without its secrets', async () => {
  const { page } = at
  await at.open(`/kb/${base}/settings/answers`)
  await page.getByLabel('Tone').fill("It's $HOME `calm`")
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied. Set CITEWELL_TOKEN').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toBe(
    `curl -X PATCH '${new URL(at.citewell.address).origin}/api/v1/knowledge-bases/${base}' \\\n  -H "Authorization: Bearer $CITEWELL_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"tone":"It'\\''s $HOME \`calm\`"}'`,
  )
  await page.getByRole('button', { name: 'Discard' }).click()

  await at.open(`/w/${at.workspaceId}/settings`)
  await page.getByLabel('Base URL').fill('https://models.example.com/v1')
  await page.getByLabel('Model', { exact: true }).fill('small')
  await page.getByLabel('Provider’s API key').fill('sk-very-secret')
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('<API_KEY>')
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toContain('sk-very-secret')
})

test('what a member may not do says why, and who can', async () => {
  const { page } = at
  const email = at.newAddress('grace')
  const invited = await at.citewell.json<{ invitation: { url: string } }>(
    'POST',
    `/api/v1/workspaces/${at.workspaceId}/members`,
    { email, name: 'Grace' },
  )
  const context = await at.browser.newContext({ viewport: { width: 1280, height: 800 } })
  const theirs = await context.newPage()
  await theirs.goto(invited.invitation.url)
  await theirs.locator('input[type=password]').fill('Bq7-xLm2-pWt9-kRv4')
  await theirs.getByRole('button').last().click()
  await theirs.waitForURL((url) => !url.pathname.startsWith('/invitation'))
  await at.open(`/w/${at.workspaceId}/members`, theirs)
  await theirs.getByText(email).first().waitFor()
  await theirs.getByRole('button', { name: 'Invite a person' }).click({ force: true })
  await theirs
    .getByText('Only owners and admins of the workspace may do this. owner can do this.')
    .first()
    .waitFor()
  await at.open(`/kb/${base}/settings`, theirs)
  await theirs.getByText(/needs the permission Config.*owner can give it to you/).waitFor()
  await at.open(`/w/${at.workspaceId}/settings`, theirs)
  await theirs.getByText('You see these settings, and cannot change them. owner can do this.').waitFor()
  expect(await theirs.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)

  // An invitation that was used, replaced or has expired says what to do.
  await theirs.goto(invited.invitation.url)
  await theirs.getByText('was already used, was withdrawn, or has expired. Ask for a new one.').waitFor()
  await context.close()

  // Inviting somebody who is a member already keeps what was typed.
  await at.open(`/w/${at.workspaceId}/members`)
  await page.getByRole('button', { name: 'What Grace may do' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What Grace may do with Acme docs').selectOption('config')
  await page.getByText('The permissions were changed.').waitFor()
  expect(await at.citewell.json('GET', `/api/v1/knowledge-bases/${base}/grants`)).toMatchObject({
    data: [{ permissions: ['config'] }],
  })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('E-mail address').inputValue()).toBe(email)
})

test(
  'the operator makes a workspace with a token, and suspends it, which its owner is told',
  { tags: ['long'] },
  async () => {
    const { page } = at
    await at.open('/instance')
    await page.getByLabel('Operator token').fill('cw_pat_never')
    await page.getByRole('button', { name: 'Show the workspaces' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Operator token').fill(OWNER_TOKEN)
    await page.getByRole('button', { name: 'Show the workspaces' }).click()
    await page.getByRole('button', { name: 'New workspace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Operated')
    await dialog.getByLabel('E-mail address of its first owner').fill(at.newAddress('beta'))
    await dialog.getByRole('button', { name: 'Create workspace' }).click()
    await dialog.getByText('is shown only once').waitFor()
    const link = (await dialog.locator('pre').textContent()) ?? ''
    expect(await faultsOf(at.page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Suspend Operated' }).click()
    await dialog.getByRole('button', { name: 'Suspend the workspace' }).click()
    await page.getByRole('button', { name: 'Resume Operated' }).waitFor()
    await page.getByLabel('Plan of Operated').selectOption('enterprise')
    await page.getByText('The plan was changed.').waitFor()
    const list = async () =>
      (
        await at.asOperator<{ data: { name: string; plan: string; suspended_at: string | null }[] }>(
          'GET',
          '/api/v1/workspaces',
        )
      ).data.find(({ name }) => name === 'Operated')
    expect(await list()).toMatchObject({ plan: 'enterprise', suspended_at: expect.any(String) })
    // The token is gone with the page.
    await page.reload()
    await page.getByLabel('Operator token').waitFor()
    expect(
      await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])),
    ).not.toContain(OWNER_TOKEN)

    const context = await at.browser.newContext()
    const theirs = await context.newPage()
    await theirs.goto(link)
    await theirs.locator('input[type=password]').fill('Bq7-xLm2-pWt9-kRv4')
    await theirs.getByRole('button').last().click()
    await theirs.waitForURL((url) => !url.pathname.startsWith('/invitation'))
    await at.open('/', theirs)
    await theirs.getByText('has suspended the workspace').waitFor()
    await theirs.getByText('There is no knowledge base yet').waitFor()
    await context.close()
  },
)
