import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { faultsOf } from './page-faults.ts'
import { openSharedDashboard, PASSWORD, type SignedInDashboard } from './signed-in-dashboard.ts'

interface Base {
  id: string
  name: string
  description: string | null
  type: string
  tone: string | null
  persona: string | null
  workspace_members_can_chat: boolean
  starter_questions: { mode: string; questions: string[] }
  pii_masking: { mask: string[]; custom_patterns: string[]; allow_list: string[] }
}

let at: SignedInDashboard
let base: string

beforeAll(async () => {
  at = await openSharedDashboard()
  base = (await at.citewell.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })).id
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await at.page.setViewportSize({ width: 1280, height: 800 })
})

const read = async () => await at.citewell.json<Base>('GET', `/api/v1/knowledge-bases/${base}`)
const save = async () => {
  await at.page.getByRole('button', { name: 'Save', exact: true }).click()
  await at.page.getByText('The settings were saved.').first().waitFor()
}

test('the owner’s questions are written, put in order by buttons and by dragging, and saved', async () => {
  const { page } = at
  await at.open(`/kb/${base}/settings`)
  await page.getByLabel('Starter questions').selectOption('own')
  const add = page.getByRole('button', { name: 'Add a question' })
  for (const [at1, question] of ['How do I sign in?', 'What does it cost?', 'Who runs it?'].entries()) {
    await add.click()
    await page.getByLabel(`Question ${at1 + 1}`, { exact: true }).fill(question)
  }
  await page.getByRole('button', { name: 'Move question 3 up' }).click()
  await save()
  expect((await read()).starter_questions).toEqual({
    mode: 'own',
    questions: ['How do I sign in?', 'Who runs it?', 'What does it cost?'],
  })
  await page.locator('[draggable]').last().dragTo(page.locator('[draggable]').first())
  await save()
  // The message of the first change may still be shown.
  await expect
    .poll(async () => (await read()).starter_questions.questions)
    .toEqual(['What does it cost?', 'How do I sign in?', 'Who runs it?'])
  for (let more = 0; more < 5; more += 1) await add.click()
  await add.click({ force: true })
  await page.getByText('There are at most 8 questions.').waitFor()
  expect(await page.getByLabel(/^Question \d/).count()).toBe(8)
  expect(await page.getByLabel('Question 8', { exact: true }).getAttribute('maxlength')).toBe('200')
})

test('personal data is masked as the fields say before they are saved, and a pattern that cannot be used is told at its field', async () => {
  const { page } = at
  await at.open(`/kb/${base}/settings/privacy`)
  await page.getByLabel('E-mail addresses').check()
  const patterns = page.getByRole('textbox', { name: 'Custom patterns' })
  await patterns.fill('(?=a)\nACME-\\d+')
  await page.getByRole('textbox', { name: 'Allow-list' }).fill('help@acme.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const described = page.locator('[aria-invalid=true]')
  await described.waitFor()
  expect(await described.inputValue()).toBe('(?=a)\nACME-\\d+')
  expect((await read()).pii_masking.custom_patterns).toEqual([])

  await patterns.fill('ACME-\\d+')
  await page
    .getByLabel('Sample text')
    .fill('I am ada@example.com of ACME-4711, not help@acme.example. <b>x</b>')
  await page.getByRole('button', { name: 'Mask it' }).click()
  const masked = page.getByRole('status', { name: 'The masked text' })
  await masked.waitFor()
  expect(await masked.textContent()).toContain('I am [email] of [masked], not help@acme.example. <b>x</b>')
  await save()
  expect((await read()).pii_masking).toEqual({
    mask: ['email'],
    custom_patterns: ['ACME-\\d+'],
    allow_list: ['help@acme.example'],
  })
})

test('a screen is not left without a question while something is not saved', async () => {
  const { page } = at
  await at.open(`/kb/${base}/settings/answers`)
  await page.getByLabel('Tone').fill('Dry')
  await page.getByText('You have changes that are not saved.').waitFor()
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
  expect(await page.getByLabel('Tone').inputValue()).toBe('Dry')
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await page.getByLabel('Tone').inputValue()).toBe('')
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByLabel('E-mail addresses').waitFor()
})

verifies(
  'access-tokens.from-the-dashboard',
  'an access token is made, shown once, opens what it may, and nothing after it was deleted',
  async () => {
    const { page } = at
    await at.open('/me')
    await page.getByRole('button', { name: 'New access token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('deploy script')
    await page.getByLabel('It may').selectOption('read')
    await page.getByRole('button', { name: 'Create access token' }).click()
    const made = page.getByRole('dialog', { name: 'The access token was created' })
    const token = (await made.locator('code').textContent()) ?? ''
    const send = async (method: string, path: string) =>
      await fetch(new URL(path, at.citewell.address), {
        method,
        headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{"name":"No"}' }),
      })
    expect((await send('GET', `/api/v1/knowledge-bases/${base}`)).status).toBe(200)
    // It may read, and no more.
    expect((await send('POST', '/api/v1/knowledge-bases')).status).toBe(403)
    // Where one presses beside it by mistake, it is not gone for ever.
    await page.mouse.click(5, 400)
    expect(await made.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await made.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(token.trim())
    const row = page.getByRole('row', { name: /deploy script/ })
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Every script with it stops working at once.').waitFor()
    expect((await send('GET', `/api/v1/knowledge-bases/${base}`)).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the access token' }).click()
    await row.waitFor({ state: 'hidden' })
    expect((await send('GET', `/api/v1/knowledge-bases/${base}`)).status).toBe(401)
  },
)

verifies(
  'members.delete-own-account',
  'a person deletes their own account in their settings, and is asked for their password',
  async () => {
    const members = `/api/v1/workspaces/${at.workspaceId}/members`
    const invited = await at.citewell.json<{ invitation: { url: string } }>('POST', members, {
      email: at.newAddress('leaver'),
    })
    const context = await at.browser.newContext({ viewport: { width: 1280, height: 800 } })
    const theirs = await context.newPage()
    await theirs.goto(invited.invitation.url)
    await theirs.locator('input[type=password]').fill(PASSWORD)
    await theirs.getByRole('button').last().click()
    await theirs.waitForURL((url) => !url.pathname.startsWith('/invitation'))
    await at.open('/me', theirs)
    await theirs.getByRole('button', { name: 'Delete your account' }).click()
    const dialog = theirs.getByRole('dialog', { name: 'Delete your account' })
    const remove = dialog.getByRole('button', { name: 'Delete your account' })
    await remove.click()
    await dialog.getByText('password').nth(1).waitFor()
    await dialog.getByLabel('Your password').fill('not my password at all')
    await remove.click()
    await dialog.getByText('The password is wrong.').waitFor()
    expect(await faultsOf(theirs)).toEqual([])
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await remove.click()
    await theirs.getByText('Your account is deleted.').waitFor()
    const { data } = await at.citewell.json<{ data: { email: string }[] }>('GET', members)
    expect(data.map(({ email }) => email)).toEqual([at.email])
    await at.open('/me', theirs)
    await theirs.waitForURL(/\/sign-in/)
    await context.close()
  },
  { tags: ['long'] },
)

test('where somebody else has changed the same setting, the person is asked whose counts; other settings are left as they are', async () => {
  const { page } = at
  const change = async (body: object) =>
    await at.citewell.json('PATCH', `/api/v1/knowledge-bases/${base}`, body)
  await at.open(`/kb/${base}/settings/answers`)
  const [tone, persona] = [page.getByLabel('Tone'), page.getByLabel('Persona')]
  await tone.fill('Dry')
  await persona.fill('A clerk')
  await change({ tone: 'Warm, said Grace' })
  const saveButton = page.getByRole('button', { name: 'Save', exact: true })
  await saveButton.click()
  const asked = page.getByText('Somebody else has changed this since you opened it')
  await asked.waitFor()
  await page.getByText('“Warm, said Grace”').waitFor()
  expect(await read()).toMatchObject({ tone: 'Warm, said Grace', persona: null })

  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByText('The settings were saved.').first().waitFor()
  expect(await read()).toMatchObject({ tone: 'Warm, said Grace', persona: 'A clerk' })
  await expect.poll(async () => await tone.inputValue()).toBe('Warm, said Grace')

  await tone.fill('Dry')
  await change({ tone: 'Cold', description: 'By Grace' })
  await saveButton.click()
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await expect.poll(async () => (await read()).tone).toBe('Dry')
  expect((await read()).description).toBe('By Grace')
  await change({ tone: null, persona: null, description: null })
})

test('a dialog with something typed in it is not closed without a question', async () => {
  const { page } = at
  await at.open(`/kb/${base}/answers`)
  await page.getByRole('button', { name: 'Write an answer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Question').fill('Who runs it?')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await dialog.getByLabel('Question').inputValue()).toBe('Who runs it?')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.getByRole('button', { name: 'Close without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test(
  'a session that ends while somebody types loses nothing: after signing in in another tab the page goes on',
  { tags: ['long'] },
  async () => {
    const { page, email } = at
    await at.open(`/kb/${base}/settings`)
    await page.getByLabel('Description').fill('Typed before the session ended')
    await at.citewell.json('DELETE', '/api/v1/me/sessions')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('sign in as').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed before the session ended')
    expect(new URL(page.url()).pathname).toBe(`/kb/${base}/settings`)

    const tab = await at.context.newPage()
    await at.signInAgain(email, tab)
    await tab.close()
    await page.getByText('You are signed in again.').waitFor()
    await save()
    expect((await read()).description).toBe('Typed before the session ended')
  },
)

test(
  'a session that was replaced in another tab is gone on with, once and without a word, by the same person only',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    const { page, email } = at
    await at.open(`/kb/${base}/settings`)
    await page.getByLabel('Description').fill('Typed with the first session')
    await at.citewell.json('DELETE', '/api/v1/me/sessions')
    const tab = await at.context.newPage()
    await at.signInAgain(email, tab)
    await page.getByLabel('Description').fill('Sent with the token of the new session')
    await save()
    expect((await read()).description).toBe('Sent with the token of the new session')

    await page.getByLabel('Description').fill('Whose is this?')
    await at.citewell.json('DELETE', '/api/v1/me/sessions')
    const invited = await at.citewell.json<{ invitation: { url: string } }>(
      'POST',
      `/api/v1/workspaces/${at.workspaceId}/members`,
      { email: at.newAddress('mallory'), name: 'Mallory', role: 'admin' },
    )
    await tab.goto(invited.invitation.url)
    await tab.locator('input[type=password]').fill('Bq7-xLm2-pWt9-kRv4')
    await tab.getByRole('button').last().click()
    await tab.waitForURL((url) => !url.pathname.startsWith('/invitation'))
    await page.getByLabel('Description').fill('In whose name?')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else is signed in in this browser now').first().waitFor()
    expect((await read()).description).toBe('Sent with the token of the new session')
    await tab.close()
    await at.context.clearCookies()
    const again = await at.context.newPage()
    await at.signInAgain(email, again)
    await again.close()
  },
)

test(
  'a connection that is lost in the middle of saving leaves what was typed, to be saved again',
  { tags: ['long'] },
  async () => {
    const { page } = at
    page.once('dialog', (dialog) => void dialog.accept())
    await at.open(`/kb/${base}/settings/answers`)
    await page.getByLabel('Tone').fill('Warm')
    await at.context.setOffline(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The service cannot be reached. What you typed is still here.').first().waitFor()
    expect(await page.getByLabel('Tone').inputValue()).toBe('Warm')
    await at.context.setOffline(false)
    await save()
    expect((await read()).tone).toBe('Warm')
  },
)
