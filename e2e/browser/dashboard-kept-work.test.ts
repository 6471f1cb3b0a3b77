import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { goTo } from './go-to-screen.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

interface Made {
  id: string
  workspace_id: string
  widget: { id: string }
}

let at: SignedInDashboard
let acme: Made
let handbook: Made

const post = async <Answer>(path: string, body?: unknown) =>
  await at.citewell.json<Answer>('POST', `/api/v1${path}`, body)
const dialog = () => at.page.getByRole('dialog')

beforeAll(async () => {
  at = await openSharedDashboard()
  acme = await post<Made>('/knowledge-bases', { name: 'Acme docs' })
  handbook = await post<Made>('/knowledge-bases', { name: 'Handbook' })
  const source = await post<{ id: string }>(`/knowledge-bases/${acme.id}/sources`, {
    type: 'push',
    name: 'Guide',
    config: {},
  })
  await at.citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: ['Rotating keys', 'Limits', 'Alarms'].map((title) => ({
      external_id: title,
      title,
      url: `https://docs.example.com/${title.toLowerCase().replaceAll(' ', '-')}`,
      markdown: `# ${title}\n\n${title}: keys are rotated every day at midnight, UTC.`,
    })),
  })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await at.page.setViewportSize({ width: 1280, height: 800 })
})

test('nothing of a conversation, and nothing that was typed, is taken along to another knowledge base', async () => {
  const { page } = at
  // What was read of it is still there: the screen does not wait for it.
  await at.open(`/kb/${handbook.id}/ask`)
  await page.getByLabel('Your question').waitFor()
  await goTo(page, `/kb/${acme.id}/ask`)
  await page.getByLabel('Your question').fill('When are keys rotated?')
  await page.keyboard.press('Enter')
  await page.getByText(/[✓▲] (?:Not covered|Covered)/).waitFor()
  await page.getByLabel('Your question').fill('And when else?')
  await goTo(page, `/kb/${handbook.id}/ask`)
  expect(await page.getByRole('log').textContent()).toBe('')
  expect(await page.getByLabel('Your question').inputValue()).toBe('')
})

test('what is typed in a dialog is not lost by the way back of the browser without a question', async () => {
  const { page } = at
  await at.open(`/kb/${acme.id}/answers`)
  await page.getByRole('button', { name: 'Write an answer' }).waitFor()
  await goTo(page, `/kb/${acme.id}/documents`)
  await goTo(page, `/kb/${acme.id}/answers`)
  await page.getByRole('button', { name: 'Write an answer' }).click()
  const question = page.getByRole('dialog', { name: 'Write an answer' }).getByLabel('Question')
  await question.fill('Who runs it?')
  const asks = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.goBack()
  await asks.getByRole('button', { name: 'Stay here' }).click()
  await asks.waitFor({ state: 'detached' })
  expect(await question.inputValue()).toBe('Who runs it?')
  expect(new URL(page.url()).pathname).toBe(`/kb/${acme.id}/answers`)

  await page.goBack()
  await asks.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(/\/documents$/)
  expect(await dialog().count()).toBe(0)
})

test('documents that were chosen are not changed by what is done with those of another filter', async () => {
  const { page } = at
  await at.open(`/kb/${acme.id}/documents`)
  await page.getByRole('checkbox', { name: 'Choose Limits' }).check()
  await page.getByText('1 chosen of 3 documents').waitFor()
  await page.getByRole('searchbox').fill('alarms')
  await page.getByText('1 document:').waitFor()
  await page.getByRole('checkbox', { name: 'Choose Alarms' }).check()
  await page.getByRole('button', { name: 'Restrict to members', exact: true }).click()
  await dialog().getByRole('button', { name: 'Restrict to members: 1' }).click()
  await page.getByText('1 document was changed.').waitFor()
  const { data } = await at.citewell.json<{ data: { title: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${acme.id}/documents?visibility=restricted`,
  )
  expect(data.map(({ title }) => title)).toEqual(['Alarms'])
})

test('a knowledge base keeps the name that a person gave it, when its first site is read', async () => {
  const { page } = at
  await at.open(`/start?kb=${handbook.id}`)
  await page.getByLabel('Where is your documentation?').fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Look at it' }).click()
  await page.waitForURL(/step=pages/)
  expect(new URL(page.url()).searchParams.get('kb')).toBe(handbook.id)
  expect(await at.citewell.json('GET', `/api/v1/knowledge-bases/${handbook.id}`)).toMatchObject({
    name: 'Handbook',
  })
})

test(
  'what somebody else has saved of a widget is shown, and is not taken back by saving something else',
  { tags: ['long'] },
  async () => {
    const { page } = at
    const path = `/api/v1/widgets/${acme.widget.id}`
    await at.open(`/kb/${acme.id}/widgets/${acme.widget.id}`)
    await page.getByText('Words', { exact: true }).click()
    await page.getByLabel('Placeholder').fill('Ask the owl')
    await at.citewell.json('PATCH', path, { name: 'Of Grace', config: { theme: 'dark' } })
    // Somebody comes back to the window, after what it shows has become old.
    await expect
      .poll(
        async () => {
          await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
          return await page.getByLabel('Name', { exact: true }).inputValue()
        },
        { timeout: 30_000 },
      )
      .toBe('Of Grace')
    expect(await page.getByLabel('Placeholder').inputValue()).toBe('Ask the owl')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The widget was saved.').waitFor()
    expect(await at.citewell.json('GET', path)).toMatchObject({
      name: 'Of Grace',
      config: { theme: 'dark', placeholder: 'Ask the owl' },
    })
  },
)

test('a page without https copies by the old command, and its help desks can be tried', async () => {
  const page = await at.context.newPage()
  await page.addInitScript(`
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })
  `)
  await at.open(`/kb/${acme.id}/mcp`, page)
  // It is said for some seconds, which a busy machine may take to end the click.
  await Promise.all([
    page.getByText('Copied').waitFor(),
    page.getByRole('button', { name: 'Copy For any client key with MCP access' }).click(),
  ])
  await at.open(`/kb/${acme.id}/ask`, page)
  await page.getByLabel('Your question').focus()
  await page.keyboard.press('Control+v')
  expect(await page.getByLabel('Your question').inputValue()).toBe(
    `${new URL(at.citewell.address).origin}/mcp`,
  )

  await post(`/knowledge-bases/${acme.id}/helpdesk-integrations`, { name: 'Support', platform: 'other' })
  await at.open(`/kb/${acme.id}/helpdesks`, page)
  await page.getByText('Try a ticket').click()
  await page.getByLabel('Customer’s message').fill('When are keys rotated?')
  await page.getByRole('button', { name: 'Hand it in' }).click()
  await page.getByText('answers given: ').waitFor()
  await page.close()
})

test(
  'a workspace of which a knowledge base was opened is the one that is asked, and its new name is shown at once',
  { tags: ['long'] },
  async () => {
    const owner = at.newAddress('beta')
    const invite = async (name: string) =>
      await at.asOperator<{ id: string; invitation: { url: string } }>('POST', '/api/v1/workspaces', {
        name,
        owner_email: owner,
      })
    const [alpha, beta] = [await invite('Alpha'), await invite('Beta')]
    const context = await at.browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const leaveInvitation = async () =>
      await page.waitForURL((url) => !url.pathname.startsWith('/invitation'), { timeout: 60_000 })
    await page.goto(alpha.invitation.url)
    await page.locator('input[type=password]').fill('Bq7-xLm2-pWt9-kRv4')
    await page.getByRole('button').last().click()
    await leaveInvitation()
    await page.goto(beta.invitation.url)
    await page.getByRole('button', { name: 'Join', exact: true }).first().click()
    await leaveInvitation()

    await at.open(`/w/${beta.id}`, page)
    await page.getByRole('button', { name: 'New knowledge base' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Beta docs')
    await page.getByRole('dialog').getByRole('button', { name: 'Create knowledge base' }).click()
    await page.waitForURL(/\/sources\/new$/)
    const [, base] = /\/kb\/([^/]+)/.exec(page.url()) ?? []
    await at.open(`/w/${alpha.id}`, page)
    await page.getByText('There is no knowledge base yet').waitFor()
    await at.open(`/kb/${base}`, page)
    await page.getByRole('heading', { name: 'Beta docs', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByText('Answers come from Beta docs.').waitFor()
    const where = page.getByRole('navigation', { name: 'Breadcrumbs' })
    expect(await where.textContent()).toContain('Beta')

    await at.open(`/w/${beta.id}/settings`, page)
    await page.getByLabel('Name', { exact: true }).fill('Gamma')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByText('The settings were saved.').waitFor()
    await where.getByText('Gamma').waitFor()
    await context.close()
  },
)
