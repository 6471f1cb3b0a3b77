import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ask, openPanel } from '../open-browser.ts'
import { lookAt } from './look-at.ts'
import { KEYS, ROTATED } from './story-site.ts'
import type { StoryWorld } from './story-world.ts'

/** A reader opens the widget on a page of the site. */
export async function visit({ openStranger }: StoryWorld, host: string): Promise<Page> {
  const visitor = await openStranger()
  await openPanel(visitor, `http://${host}/`)
  return visitor
}

/** Asks in the widget, and gives what the last turn says. */
export async function askInWidget(visitor: Page, question: string): Promise<string> {
  await ask(visitor, question)
  return (await visitor.locator('.turn').last().textContent()) ?? ''
}

/** Comes back to the page, where the conversation goes on. */
export async function visitAgain(visitor: Page): Promise<void> {
  await visitor.reload()
  await visitor.locator('button[part=launcher]').click()
  await visitor.locator('dialog[open] .turn').first().waitFor()
}

/** Puts the line of the last step on a page of another origin, where it is seen and answers. Its host. */
export async function putOnSite(world: StoryWorld): Promise<string> {
  const { page } = world
  await page.getByRole('button', { name: 'Put it on your site' }).click()
  await page.getByText('Waiting for the first page that shows it').waitFor()
  await lookAt(world, 'site')
  const host = await world.publish((await page.locator('pre code').textContent()) ?? '')
  const visitor = await visit(world, host)
  await page.getByText(`Seen on ${host}`).waitFor()
  expect(await askInWidget(visitor, KEYS)).toContain(ROTATED)
  await visitor.close()

  await page.getByRole('link', { name: 'Open the overview' }).click()
  await page.getByRole('heading', { name: 'Set-up' }).waitFor()
  expect(await page.getByText('✓ The widget was seen on a page').count()).toBe(1)
  await lookAt(world, 'overview')
  return host
}

/** The widget of a base that is closed to readers says so, and gives no answer. */
export async function expectRefusal(visitor: Page): Promise<void> {
  expect(await askInWidget(visitor, 'When does the old key stop working?')).not.toContain('within a minute')
  await visitor.locator('.turn').last().locator('.notice').waitFor()
}
