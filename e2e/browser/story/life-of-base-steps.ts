import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { askOnScreen, confirm, dialogOf, goToSettings } from './dashboard-steps.ts'
import { DOCUMENTS, KEYS, ROTATED } from './story-site.ts'
import type { StoryWorld } from './story-world.ts'

const DANGER_ZONE = 'Danger Zone'

export async function archive({ page, acme }: StoryWorld): Promise<void> {
  await goToSettings(page, acme, DANGER_ZONE)
  await confirm(page, 'Archive the knowledge base')
  await page.getByText('is archived: it answers nothing').waitFor()
}

export async function expectReadOnly({ page }: StoryWorld): Promise<void> {
  for (const part of ['General', 'Answers', 'Privacy']) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click()
    await page.getByText('its settings cannot be changed').waitFor()
    const fields = page.locator('main form fieldset')
    await fields.first().waitFor()
    expect(await fields.evaluateAll((all) => all.every((one) => one.matches(':disabled')))).toBe(true)
    expect(await page.getByRole('button', { name: 'Save', exact: true }).first().isEnabled()).toBe(false)
  }
}

/** The assistant of neither person asks the archived base. */
export async function expectNotAsked({ page, open }: StoryWorld, grace: Page): Promise<void> {
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await open('/ask', grace)
  for (const at of [page, grace])
    expect(await at.getByText('Answers come from').textContent()).toBe('Answers come from Citewell.')
}

export async function restore({ page, acme }: StoryWorld): Promise<void> {
  await goToSettings(page, acme, DANGER_ZONE)
  await page.getByRole('button', { name: 'Restore the knowledge base' }).click()
  await page.getByRole('button', { name: 'Archive the knowledge base' }).waitFor()
}

/** The list of what stops has to be read before the type changes. */
export async function makeInternal({ page, acme }: StoryWorld): Promise<void> {
  await goToSettings(page, acme, 'Access')
  await page.getByRole('button', { name: 'Change the type to internal' }).click()
  await dialogOf(page).getByRole('list', { name: 'What stops' }).waitFor()
  const told = (await dialogOf(page).textContent()) ?? ''
  expect(told).toContain('1 live client key stops working on save')
  expect(told).toContain('1 widget stops answering')
  await dialogOf(page).getByRole('button', { name: 'Change it to internal' }).click()
  await page.getByRole('button', { name: 'Change the type to external' }).waitFor()
}

export async function expectMemberToBeAnswered({ open }: StoryWorld, grace: Page): Promise<void> {
  await open('/ask', grace)
  await askOnScreen(grace, KEYS)
  await grace.getByText(ROTATED).first().waitFor()
}

/** Nothing but its exact name deletes a base that holds something. */
export async function deleteBase({ page, acme }: StoryWorld): Promise<void> {
  await goToSettings(page, acme, DANGER_ZONE)
  const remove = 'Delete the knowledge base'
  await page.getByRole('button', { name: remove }).click()
  const dialog = dialogOf(page)
  // The custom answer is one of them.
  await dialog.getByText(`${DOCUMENTS + 1} documents`).waitFor()
  const name = dialog.getByLabel(`Type “${acme}” to delete it`)
  await name.fill(acme.slice(0, -1))
  await dialog.getByRole('button', { name: remove }).click({ force: true })
  await page.getByText('Type its exact name first.').first().waitFor()
  await name.fill(acme)
  await dialog.getByRole('button', { name: remove }).click()
  await page.waitForURL(/\/w\//)
  await page.getByText(`“${acme}” was deleted.`).waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: acme, exact: true }).count()).toBe(0)
}
