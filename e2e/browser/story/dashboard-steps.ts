import type { Page } from 'playwright-core'

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const addressField = (page: Page) => page.getByLabel('Where is your documentation?')
export const sourcesOfAnswer = (page: Page) => page.getByRole('list', { name: 'Sources' }).getByRole('button')

/** Goes to a screen of a knowledge base as people do, by the list of bases and the list of its screens. */
export async function goTo(page: Page, base: string, screen: string): Promise<void> {
  await page.getByRole('link', { name: 'Citewell', exact: true }).first().click()
  await page.getByRole('main').getByRole('link', { name: base, exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Knowledge base' })
    .getByRole('link', { name: screen, exact: true })
    .click()
}

export async function goToSettings(page: Page, base: string, part: string): Promise<void> {
  await goTo(page, base, 'Settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click()
}

/** Presses the button that opens a dialog, and the one with the same words in it. */
export async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await dialogOf(page).getByRole('button', { name }).click()
}

/** Asks on the screen that is open, and waits for the end of the answer. */
export async function askOnScreen(page: Page, question: string): Promise<void> {
  const answered = page.getByText(/[✓▲] (?:Not covered|Covered)/)
  const before = await answered.count()
  await page.locator('textarea:not([disabled])').fill(question)
  await page.keyboard.press('Enter')
  await answered.nth(before).waitFor()
}
