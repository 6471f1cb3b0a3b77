import type { Page } from 'playwright-core'

/** What a page complained of: its console, errors that nobody caught, reports of its content security policy. */
export function listenToPage(page: Page) {
  const said: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    const isIcon = url.endsWith('favicon.ico')
    if (['warning', 'error'].includes(message.type()) && !isIcon) said.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (fault) => said.push(String(fault)))
  return said
}

/** Opens a page and waits for its launcher. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('citewell-widget button[part=launcher]').first().waitFor({ state: 'attached' })
}

/** Opens the panel by its launcher. */
export async function openPanel(page: Page, address: string): Promise<void> {
  await openPage(page, address)
  await page.locator('button[part=launcher]').click()
  await page.locator('dialog[open]').waitFor()
}

/** Asks in the open panel, and waits for the end of the answer. */
export async function ask(page: Page, question: string): Promise<void> {
  const turns = await page.locator('.turn').count()
  await page.locator('.composer textarea').fill(question)
  await page.locator('.composer textarea').press('Enter')
  const turn = page.locator('.turn').nth(turns)
  await turn.locator('.actions, .notice, .stopped').first().waitFor({ timeout: 60_000 })
}
