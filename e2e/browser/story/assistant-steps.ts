import { askOnScreen, sourcesOfAnswer } from './dashboard-steps.ts'
import { lookAt } from './look-at.ts'
import type { StoryWorld } from './story-world.ts'

const QUESTION = 'When are the keys of Acme rotated?'

/** One question to all bases, whose answer is rated. The words that are marked on the cited page beside it. */
export async function askAllBases(world: StoryWorld): Promise<string> {
  const { page, acme } = world
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('heading', { name: 'Ask', exact: true }).waitFor()
  await page.getByRole('group', { name: 'Ask' }).getByText('Citewell').waitFor()
  await askOnScreen(page, QUESTION)
  await page.getByText(`from ${acme}`).waitFor()
  await sourcesOfAnswer(page).first().press('Enter')
  const beside = page.getByRole('complementary', { name: 'Source' })
  const marked = (await beside.locator('mark').textContent()) ?? ''
  await lookAt(world, 'cited')
  await page.getByRole('button', { name: 'Helpful', exact: false }).first().press('Enter')
  await page.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
  return marked
}

/** A stored conversation is left for a new one by one press, and come back to by the browser's own button. */
export async function leaveConversation({ page }: StoryWorld): Promise<void> {
  const heading = page.getByRole('heading', { name: QUESTION })
  await page.reload()
  await heading.waitFor()
  await page.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
  await page.getByRole('button', { name: 'New question' }).click()
  await heading.waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.pathname === '/ask')
  await page.goBack()
  await heading.waitFor()
  await page.goForward()
  await heading.waitFor({ state: 'detached' })
  await page.goBack()
  await heading.waitFor()
}

export async function deleteConversation({ page, complaints }: StoryWorld): Promise<void> {
  const thread = page.url()
  await page.getByRole('button', { name: 'Delete this conversation' }).click()
  await page.getByRole('button', { name: 'Delete the conversation' }).click()
  await page.waitForURL((url) => url.pathname === '/ask')
  await page.goto(thread)
  await page.getByRole('alert').getByText('There is no such conversation').waitFor()
  // The browser tells of the answer 404.
  complaints.splice(0)
}
