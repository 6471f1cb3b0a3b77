import { expect } from 'vitest'
import { addressField, askOnScreen, goTo, sourcesOfAnswer } from './dashboard-steps.ts'
import { lookAt } from './look-at.ts'
import { DOCUMENTS, FIRST_PAGE, KEYS, ROTATED } from './story-site.ts'
import type { StoryWorld } from './story-world.ts'

/** The first start prints a link; whoever opens it first is signed in. */
export async function openDashboardByLink(world: StoryWorld): Promise<void> {
  const { page, setupLink } = world
  await page.goto(setupLink())
  await lookAt(world, 'set-up')
  await page.getByRole('button', { name: 'Open the dashboard' }).press('Enter')
  await addressField(page).waitFor()
}

/** What another browser gets for the link, and where it comes instead of the dashboard. */
export async function openInOtherBrowser({ setupLink, open, openStranger }: StoryWorld) {
  const stranger = await openStranger()
  const status = (await stranger.goto(setupLink()))?.status()
  await open('/start', stranger)
  const place = new URL(stranger.url()).pathname
  await stranger.close()
  return { status, place }
}

/** Milliseconds until its first cited answer. */
export async function answerFromSample(world: StoryWorld): Promise<number> {
  const { page } = world
  const began = performance.now()
  await page.getByRole('button', { name: 'Try with the sample' }).click()
  await page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().click()
  await sourcesOfAnswer(page).first().waitFor()
  const took = Math.round(performance.now() - began)
  await lookAt(world, 'answered')
  return took
}

/** Reading is ended by a press, and what was read until then stays. */
export async function cancelReading({ page }: StoryWorld, base: string): Promise<void> {
  await goTo(page, base, 'Sources')
  await page.getByRole('button', { name: 'Cancel reading' }).click()
  await page.getByRole('button', { name: /^Read again/ }).waitFor()
}

export async function typeWhatIsNoSite(world: StoryWorld): Promise<void> {
  const { page, open } = world
  await open('/start')
  const address = addressField(page)
  for (const typed of ['', 'acme', 'not a site', 'ftp://docs.example.com', 'https://']) {
    await address.fill(typed)
    await address.press('Enter')
    await page.getByText('This is not the address of a site').waitFor()
    expect(await address.inputValue()).toBe(typed)
  }
  await lookAt(world, 'address')
}

export async function typeWhatIsNotThere(world: StoryWorld): Promise<void> {
  const { page, site } = world
  const missing = `${site.origin}/nothing-here`
  await addressField(page).fill(missing)
  await addressField(page).press('Enter')
  await page.getByText(/could not be read: not found \(404\)\. Check the address\./).waitFor()
  await lookAt(world, 'not found')
  await page.getByRole('button', { name: 'Change the address' }).click()
  expect(await addressField(page).inputValue()).toBe(missing)
}

export async function loseTheConnection({ page, context, complaints }: StoryWorld): Promise<void> {
  const typed = await addressField(page).inputValue()
  await context.setOffline(true)
  await addressField(page).press('Enter')
  await page.getByText('The service cannot be reached.').waitFor()
  expect(await addressField(page).inputValue()).toBe(typed)
  await context.setOffline(false)
  complaints.splice(0)
}

/** The pages of the site appear; one is included and one left out. */
async function choosePages(world: StoryWorld): Promise<void> {
  const { page, site } = world
  await addressField(page).fill(`${site.origin}${FIRST_PAGE}`)
  await addressField(page).press('Enter')
  const read = page.getByRole('region', { name: 'Will be read' })
  const left = page.getByRole('region', { name: 'Left out' })
  await read.getByText('Acme docs').waitFor()
  await page.getByText('Docusaurus v3.9.2').waitFor()
  await left.getByText('outside of /guide/').waitFor()
  await left.getByRole('button', { name: 'Include /blog/news' }).click()
  await read.getByText('Part 0').waitFor()
  await page.getByRole('button', { name: 'Leave out: Part 0' }).click()
  await page.getByRole('button', { name: 'Read it: Part 0' }).waitFor()
  await page.getByLabel('Leave out by a pattern').waitFor()
  await lookAt(world, 'pages')
}

/** Milliseconds until its first cited answer, which comes while it is read. */
export async function answerFromSite(world: StoryWorld): Promise<number> {
  const { page, open } = world
  await open('/start')
  const began = performance.now()
  await choosePages(world)
  await page.getByRole('button', { name: /^Read (?:about )?\d+ pages|^Read the site/ }).click()
  await page.getByText(/pages so far|documents are ready/).waitFor()
  // What is asked before its page is read is not covered, which a person sees, and asks again.
  await expect
    .poll(
      async () => {
        await askOnScreen(page, KEYS)
        const cited = sourcesOfAnswer(page).first().waitFor({ timeout: 8_000 })
        return await cited.then(
          () => true,
          () => false,
        )
      },
      { timeout: 120_000 },
    )
    .toBe(true)
  const took = Math.round(performance.now() - began)

  await page.getByText(`${DOCUMENTS} documents are ready`).waitFor()
  await askOnScreen(page, KEYS)
  await page.getByText(ROTATED).first().waitFor()
  return took
}

/** What was included by a press was read, and what was left out was not. */
export async function findDocuments({ page, acme }: StoryWorld): Promise<void> {
  await goTo(page, acme, 'Documents')
  const documents = page.getByRole('region', { name: 'Documents' })
  for (const title of ['News', 'Rotating keys']) {
    await page.getByRole('searchbox').fill(title)
    await page.getByText('1 document:').waitFor()
    await documents.getByRole('link', { name: title }).waitFor()
  }
  await page.getByRole('searchbox').fill('part-0')
  await page.getByText('No documents match.').waitFor()
}
