import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { askOnScreen, dialogOf, goTo, goToSettings } from './dashboard-steps.ts'
import { lookAt } from './look-at.ts'
import { KEYS, ROTATED } from './story-site.ts'
import type { StoryWorld } from './story-world.ts'

const PASSWORD = 'Bq7-xLm2-pWt9-kRv4'

/** From now on members may ask only where they were allowed to. */
export async function closeToMembers({ page, acme }: StoryWorld): Promise<void> {
  await goToSettings(page, acme, 'Access')
  await page.getByLabel('Workspace members').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The settings were saved.').first().waitFor()
}

/** Invites Grace, who opens the link in a browser of her own and sets a password. */
export async function invite({ page, openStranger }: StoryWorld): Promise<Page> {
  await page.getByRole('link', { name: 'Citewell', exact: true }).first().click()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await dialogOf(page).getByLabel('E-mail address').fill('grace@example.com')
  await dialogOf(page).getByRole('button', { name: 'Create invitation' }).click()
  const link = (await dialogOf(page).locator('pre').textContent()) ?? ''
  const grace = await openStranger()
  await grace.goto(link)
  await grace.locator('input[type=password]').fill(PASSWORD)
  await grace.getByRole('button').last().click()
  await grace.waitForURL((url) => !url.pathname.startsWith('/invitation'))
  await page.keyboard.press('Escape')
  return grace
}

export async function allowToChat({ page, acme }: StoryWorld): Promise<void> {
  await page.reload()
  await page.getByRole('button', { name: 'What grace may do' }).click()
  await dialogOf(page).getByLabel(`What grace may do with ${acme}`).selectOption('chat')
  await page.getByText('The permissions were changed.').waitFor()
  await page.keyboard.press('Escape')
}

export async function askAndRate({ open }: StoryWorld, grace: Page): Promise<void> {
  await open('/ask', grace)
  await askOnScreen(grace, KEYS)
  await grace.getByText(ROTATED).first().waitFor()
  await grace.getByRole('button', { name: 'Helpful', exact: true }).click()
  await grace.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
  await grace.reload()
  await grace.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
}

/** Her own questions, and nobody else's. */
export async function historyOf(grace: Page): Promise<string[]> {
  const own = grace.locator('details').filter({ hasText: 'Your questions' }).getByRole('link')
  await own.first().waitFor()
  return await own.allTextContents()
}

export async function expectNoSettings(world: StoryWorld, grace: Page): Promise<void> {
  const { acme } = world
  for (const screen of ['Settings', 'Conversations']) {
    await goTo(grace, acme, screen)
    await grace.getByText(/needs the permission Config/).waitFor()
    expect(await grace.getByRole('main').getByRole('textbox').count()).toBe(0)
  }
  await lookAt(world, 'not allowed', grace)
}
