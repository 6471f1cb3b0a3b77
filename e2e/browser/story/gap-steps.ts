import { dialogOf, goTo } from './dashboard-steps.ts'
import type { StoryWorld } from './story-world.ts'

/** What readers asked in vain is one gap, which the person opens. */
export async function findGap({ page, acme }: StoryWorld): Promise<void> {
  await goTo(page, acme, 'Knowledge gaps')
  await page.getByRole('link', { name: /terraform provider/i }).click()
  await page.getByRole('heading', { level: 1, name: /terraform provider/i }).waitFor()
}

export async function answerGap({ page }: StoryWorld): Promise<void> {
  await page.getByRole('button', { name: 'Write an answer' }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('Use the provider **acme/billing**, version 2.')
  await dialog.getByRole('button', { name: 'Save the answer' }).click()
  await page.getByText('It has a custom answer').waitFor()
}

export async function replayGap({ page }: StoryWorld): Promise<void> {
  await page.getByRole('button', { name: 'Replay all questions' }).click()
  await page.getByText('Now 2 of 2 covered', { exact: false }).first().waitFor()
}

export async function resolveGap({ page }: StoryWorld): Promise<void> {
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.getByText('It holds: none of its questions').waitFor()
}
