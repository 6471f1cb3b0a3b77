import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './go-to-screen.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

let at: SignedInDashboard
let base: string
/** A member who was granted nothing, in a browser of her own. */
let grace: Page

const dialogOf = (page: Page) => page.getByRole('dialog')

/** Invites a person, who sets a password in a browser of their own. */
async function join(name: string, role: string): Promise<Page> {
  const { invitation } = await at.citewell.json<{ invitation: { url: string } }>(
    'POST',
    `/api/v1/workspaces/${at.workspaceId}/members`,
    { email: at.newAddress(name), role },
  )
  const context = await at.browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(invitation.url)
  await page.locator('input[type=password]').fill('Bq7-xLm2-pWt9-kRv4')
  await page.getByRole('button').last().click()
  await page.waitForURL((url) => !url.pathname.startsWith('/invitation'))
  return page
}

beforeAll(async () => {
  at = await openSharedDashboard()
  base = (await at.citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })).id
  grace = await join('grace', 'member')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})

test('screens that a member may not read say who may, and offer nothing that would be refused', async () => {
  await at.open(`/w/${at.workspaceId}/activity`, grace)
  await grace.getByText('Only owners and admins of the workspace may read it.').waitFor()
  const nobody = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'
  for (const screen of [`conversations/${nobody}`, `traces/${nobody}`, 'gaps']) {
    await goTo(grace, `/kb/${base}/${screen}`)
    await grace.getByText(/needs the permission Config/).waitFor()
    expect(await grace.getByRole('alert').count()).toBe(0)
    expect(await grace.getByRole('button', { name: /^(?:Delete|Replay|Export)/ }).count()).toBe(0)
  }
  await grace.keyboard.press('Control+k')
  await grace.keyboard.type('read all')
  await grace.getByText('No results.').waitFor()
  await grace.keyboard.press('Escape')
})

test('an admin is not offered what only owners may do, and nobody changes their own role without a question', async () => {
  const admin = await join('ada', 'admin')
  await at.open(`/w/${at.workspaceId}/members`, admin)
  const own = admin.getByLabel('Role of ada')
  await own.waitFor()
  expect(await own.locator('option').allTextContents()).toEqual(['Member', 'Admin'])
  expect(
    await admin
      .getByRole('row', { name: /owner@/ })
      .getByRole('combobox')
      .count(),
  ).toBe(0)
  await admin
    .getByRole('row', { name: /owner@/ })
    .getByRole('button', { name: /^Remove/ })
    .click({ force: true })
  await admin.getByText('Only owners may add, change and remove owners.').first().waitFor()
  expect(await dialogOf(admin).count()).toBe(0)
  await admin.getByRole('button', { name: 'Invite a person' }).click()
  expect(await dialogOf(admin).getByLabel('Role').locator('option').count()).toBe(2)
  await admin.keyboard.press('Escape')

  await own.selectOption('member')
  await dialogOf(admin).getByText('You cannot change it back yourself').waitFor()
  expect(await own.inputValue()).toBe('admin')
  await dialogOf(admin).getByRole('button', { name: 'Become member' }).click()
  await admin.getByText('The role was changed.').waitFor()
  // What the person may do no longer follows at once.
  await expect.poll(async () => await own.count()).toBe(0)
  await admin.context().close()
})
