import { verifies } from '@citewell/spec/verifies'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TIME_LIMIT } from '../../service/test/time-limit.ts'
import { ask, openPanel } from './open-browser.ts'
import { askOnScreen, faultsOf, openStoryWorld, type StoryWorld } from './story-world.ts'

/** Milliseconds from the open dashboard to the first cited answer. */
const WITH_SAMPLE_MS = 60_000
const WITH_SITE_MS = 180_000

const KEYS = 'When are keys rotated?'
const ROTATED = 'Keys are rotated every day at midnight'
const TERRAFORM = 'Which Terraform provider belongs to the billing portal?'
const PASSWORD = 'Bq7-xLm2-pWt9-kRv4'

let world: StoryWorld
let page: Page
/** A reader, on a page of another origin that shows the widget. */
let visitor: Page
/** A member who may chat in the base of the site, and no more. */
let grace: Page
/** The base of the site has the name of its host. */
let acme: string

beforeAll(async () => {
  world = await openStoryWorld()
  page = world.page
  acme = new URL(world.site.origin).host
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const setupLink = () => /^Open it .*: (\S+)$/m.exec(world.citewell.log())?.[1] ?? ''
const address = () => page.getByLabel('Where is your documentation?')
const dialog = (at = page) => at.getByRole('dialog')

/** Goes to a screen of the base of the site as people do, by the list of bases and the list of its screens. */
async function goTo(screen: string, at = page): Promise<void> {
  await at.getByRole('link', { name: 'Citewell', exact: true }).first().click()
  await at.getByRole('main').getByRole('link', { name: acme, exact: true }).first().click()
  await at.getByRole('navigation', { name: 'Knowledge base' }).getByRole('link', { name: screen }).click()
}

async function goToSettings(part: string): Promise<void> {
  await goTo('Settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click()
}

test('the link of the first start opens the dashboard signed in, for one browser', async () => {
  await page.goto(setupLink())
  expect(await faultsOf(page, 'set-up')).toEqual([])
  await page.getByRole('button', { name: 'Open the dashboard' }).press('Enter')
  await address().waitFor()
  expect(new URL(page.url()).pathname).toBe('/start')

  const stranger = await world.openStranger()
  expect((await stranger.goto(setupLink()))?.status()).toBe(404)
  await world.open('/start', stranger)
  expect(new URL(stranger.url()).pathname).toBe('/sign-in')
  await stranger.context().close()
})

test(
  'the sample gives a first cited answer within a minute, without a key',
  { ...TIME_LIMIT, timeout: 400_000 },
  async () => {
    await world.forget('Citewell')
    await world.open('/start')
    const began = performance.now()
    await page.getByRole('button', { name: 'Try with the sample' }).click()
    await page.getByRole('list', { name: 'Suggested questions' }).getByRole('button').first().click()
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().waitFor()
    const took = performance.now() - began
    expect(took).toBeLessThan(WITH_SAMPLE_MS)
    console.info(`first cited answer with the sample: ${Math.round(took)} ms`)
    await page.getByText('documents are ready').waitFor()
    expect(await faultsOf(page, 'answered')).toEqual([])
  },
)

test('what is no site, what is not there and a lost connection are told, and what was typed stays', async () => {
  await world.open('/start')
  for (const typed of ['', 'acme', 'not a site', 'ftp://docs.example.com', 'https://']) {
    await address().fill(typed)
    await address().press('Enter')
    await page.getByText('This is not the address of a site').waitFor()
    expect(await address().inputValue()).toBe(typed)
  }
  expect(await faultsOf(page, 'address')).toEqual([])

  const missing = `${world.site.origin}/nothing-here`
  await address().fill(missing)
  await address().press('Enter')
  await page.getByText(/could not be read: not found \(404\)\. Check the address\./).waitFor()
  expect(await faultsOf(page, 'not found')).toEqual([])
  await page.getByRole('button', { name: 'Change the address' }).click()
  expect(await address().inputValue()).toBe(missing)

  await world.context.setOffline(true)
  await address().press('Enter')
  await page.getByText('The service cannot be reached. What you typed is still here.').waitFor()
  expect(await address().inputValue()).toBe(missing)
  await world.context.setOffline(false)
  world.complaints.splice(0)
}, 200_000)

test(
  'an own site is previewed page by page, changed by a press, and answers while it is read, within three minutes',
  { ...TIME_LIMIT, timeout: 500_000 },
  async () => {
    await world.forget(acme)
    await world.open('/start')
    const began = performance.now()
    await address().fill(`${world.site.origin}/guide/`)
    await address().press('Enter')
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
    expect(await faultsOf(page, 'pages')).toEqual([])
    await page.getByRole('button', { name: /^Read (?:about )?\d+ pages|^Read the site/ }).click()
    await page.getByText(/pages so far|documents are ready/).waitFor()
    await askOnScreen(page, KEYS)
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().waitFor()
    const took = performance.now() - began
    expect(took).toBeLessThan(WITH_SITE_MS)
    console.info(`first cited answer with an own site: ${Math.round(took)} ms`)

    await page.getByText('documents are ready').waitFor()
    await askOnScreen(page, KEYS)
    await page.getByText(ROTATED).first().waitFor()
  },
)

test('the widget on a page of another origin is seen, and answers there', async () => {
  await page.getByRole('button', { name: 'Put it on your site' }).click()
  await page.getByText('Waiting for the first page that shows it').waitFor()
  expect(await faultsOf(page, 'site')).toEqual([])
  const host = await world.publish((await page.locator('pre code').textContent()) ?? '')
  visitor = await world.openStranger()
  await openPanel(visitor, `http://${host}/`)
  await page.getByText(`Seen on ${host}`).waitFor()
  await ask(visitor, KEYS)
  await visitor.locator('.turn').getByText(ROTATED).first().waitFor()
  for (const question of [TERRAFORM, 'Which terraform provider belongs to the billing portal']) {
    const reader = await world.openStranger()
    await openPanel(reader, `http://${host}/`)
    await ask(reader, question)
    await reader.context().close()
  }

  await page.getByRole('link', { name: 'Open the overview' }).click()
  await page.getByRole('heading', { name: 'Set-up' }).waitFor()
  expect(await page.getByText('✓ The widget was seen on a page').count()).toBe(1)
  expect(await faultsOf(page, 'overview')).toEqual([])

  await page.getByRole('link', { name: 'Documents', exact: true }).click()
  const documents = page.getByRole('region', { name: 'Documents' })
  await page.getByText('32 documents:').waitFor()
  for (const title of ['News', 'Rotating keys']) {
    await page.getByRole('searchbox').fill(title)
    await page.getByText('1 document:').waitFor()
    await documents.getByRole('link', { name: title }).waitFor()
  }
  await page.getByRole('searchbox').fill('part-0')
  await page.getByText('No document is found like this.').waitFor()
}, 200_000)

test('the assistant asks all bases, marks the cited words beside the answer, and keeps its own history', async () => {
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('heading', { name: 'Ask', exact: true }).waitFor()
  await page.getByRole('group', { name: 'Ask' }).getByText('Citewell').waitFor()
  const question = 'When are the keys of Acme rotated?'
  await askOnScreen(page, question)
  await page.getByText(`from ${acme}`).waitFor()
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().press('Enter')
  const beside = page.getByRole('complementary', { name: 'Source' })
  expect(await beside.locator('mark').textContent()).toContain(ROTATED)
  expect(await faultsOf(page, 'cited')).toEqual([])
  await page.getByRole('button', { name: 'Helpful', exact: false }).first().press('Enter')
  await page.getByRole('button', { name: '▲ Helpful' }).waitFor()

  const thread = page.url()
  await page.reload()
  await page.getByRole('heading', { name: question }).waitFor()
  await page.getByRole('button', { name: '▲ Helpful' }).waitFor()
  // A stored conversation is left for a new one by one press, and is come back to by the browser's own button.
  await page.getByRole('button', { name: 'New question' }).click()
  await page.getByRole('heading', { name: question }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/ask')
  await page.goBack()
  await page.getByRole('heading', { name: question }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: question }).waitFor({ state: 'detached' })

  await page.goto(thread)
  await page.getByRole('button', { name: 'Delete this conversation' }).click()
  await page.getByRole('button', { name: 'Delete the conversation' }).click()
  await page.waitForURL((url) => url.pathname === '/ask')
  await page.goto(thread)
  await page.getByRole('alert').getByText('There is no such conversation').waitFor()
  world.complaints.splice(0)
}, 200_000)

test('what readers asked in vain is a gap, which is answered, replayed and resolved; then the widget answers it', async () => {
  await goTo('Knowledge gaps')
  await page.getByRole('link', { name: /terraform provider/i }).click()
  await page.getByRole('heading', { level: 1, name: /terraform provider/i }).waitFor()
  await page.getByRole('button', { name: 'Write an answer' }).click()
  await dialog()
    .getByRole('textbox', { name: 'Answer' })
    .fill('Use the provider **acme/billing**, version 2.')
  await dialog().getByRole('button', { name: 'Save the answer' }).click()
  await page.getByText('It has a custom answer').waitFor()
  await page.getByRole('button', { name: 'Replay all questions' }).click()
  await page.getByText('Now 2 of 2 covered', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.getByText('It holds: none of its questions').waitFor()

  await visitor.reload()
  await visitor.locator('button[part=launcher]').click()
  await ask(visitor, TERRAFORM)
  expect(await visitor.locator('.turn').last().textContent()).toContain('acme/billing')
}, 200_000)

/** Who is invited opens the link in a browser of their own, and sets a password. */
async function accept(link: string): Promise<Page> {
  const theirs = await world.openStranger()
  await theirs.goto(link)
  await theirs.locator('input[type=password]').fill(PASSWORD)
  await theirs.getByRole('button').last().click()
  await theirs.waitForURL((url) => !url.pathname.startsWith('/invitation'))
  return theirs
}

test('a member with Chat alone asks, rates and sees their own questions, and no settings', async () => {
  await goToSettings('Access')
  await page.getByLabel('Workspace members').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The settings were saved.').first().waitFor()
  await page.getByRole('link', { name: 'Citewell', exact: true }).first().click()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await dialog().getByLabel('E-mail address').fill('grace@example.com')
  await dialog().getByRole('button', { name: 'Make an invitation' }).click()
  grace = await accept((await dialog().locator('pre').textContent()) ?? '')
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'What grace may do' }).click()
  await dialog().getByLabel(`What grace may do with ${acme}`).selectOption('chat')
  await page.getByText('The permissions were changed.').waitFor()
  await page.keyboard.press('Escape')

  await world.open('/ask', grace)
  await askOnScreen(grace, KEYS)
  await grace.getByText(ROTATED).first().waitFor()
  await grace.getByRole('button', { name: '△ Helpful' }).click()
  await grace.getByRole('button', { name: '▲ Helpful' }).waitFor()
  await grace.reload()
  await grace.getByRole('button', { name: '▲ Helpful' }).waitFor()
  const own = grace.locator('details').filter({ hasText: 'Your questions' }).getByRole('link')
  await own.first().waitFor()
  expect(await own.allTextContents()).toEqual([KEYS])

  await goTo('Settings', grace)
  await grace.getByText(/needs the permission Config/).waitFor()
  expect(await grace.getByRole('main').getByRole('textbox').count()).toBe(0)
  await goTo('Conversations', grace)
  await grace.getByText(/needs the permission Config/).waitFor()
  expect(await faultsOf(grace, 'not allowed')).toEqual([])
}, 200_000)

verifies(
  ['connectors.confirm-a-switch', 'connectors.archived-in-the-dashboard'],
  'a base is archived, leaves the assistant, is read only, is restored, becomes internal, and is deleted after its exact name was typed',
  async () => {
    await goToSettings('Danger Zone')
    await page.getByRole('button', { name: 'Archive the knowledge base' }).click()
    await dialog().getByRole('button', { name: 'Archive the knowledge base' }).click()
    await page.getByText('is archived: it answers nothing').waitFor()
    for (const part of ['General', 'Answers', 'Privacy']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click()
      await page.getByText('its settings cannot be changed').waitFor()
      const fields = page.locator('main form fieldset')
      await fields.first().waitFor()
      expect(await fields.evaluateAll((all) => all.every((one) => one.matches(':disabled')))).toBe(true)
      expect(await page.getByRole('button', { name: 'Save', exact: true }).first().isEnabled()).toBe(false)
    }
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    expect(await page.getByText('Answers come from').textContent()).toBe('Answers come from Citewell.')
    await world.open('/ask', grace)
    expect(await grace.getByText('Answers come from').textContent()).toBe('Answers come from Citewell.')

    await goToSettings('Danger Zone')
    await page.getByRole('button', { name: 'Restore the knowledge base' }).click()
    await page.getByRole('button', { name: 'Archive the knowledge base' }).waitFor()
    await visitor.reload()
    await visitor.locator('button[part=launcher]').click()
    await ask(visitor, KEYS)
    await visitor.locator('.turn').last().getByText(ROTATED).first().waitFor()

    await goToSettings('Access')
    await page.getByRole('button', { name: 'Change the type to internal' }).click()
    await dialog().getByRole('list', { name: 'What stops' }).waitFor()
    expect(await dialog().textContent()).toContain('1 widget answers no more')
    await dialog().getByRole('button', { name: 'Change it to internal' }).click()
    await page.getByRole('button', { name: 'Change the type to external' }).waitFor()
    await ask(visitor, 'When does the old key stop working?')
    await visitor.locator('.turn').last().locator('.notice').waitFor()
    await world.open('/ask', grace)
    await askOnScreen(grace, KEYS)
    await grace.getByText(ROTATED).first().waitFor()

    await goToSettings('Danger Zone')
    await page.getByRole('button', { name: 'Delete the knowledge base' }).click()
    await dialog().getByText('32 documents').waitFor()
    const name = dialog().getByLabel(`Type “${acme}” to delete it`)
    await name.fill(acme.slice(0, -1))
    await dialog().getByRole('button', { name: 'Delete the knowledge base' }).click({ force: true })
    await page.getByText('Type its exact name first.').first().waitFor()
    await name.fill(acme)
    await dialog().getByRole('button', { name: 'Delete the knowledge base' }).click()
    await page.waitForURL(/\/w\//)
    await page.getByText(`“${acme}” was deleted.`).waitFor()
    expect(await page.getByRole('main').getByRole('link', { name: acme, exact: true }).count()).toBe(0)
  },
  240_000,
)

test('a password is set from the account page, and no page complained', async () => {
  await world.open('/account')
  await page.getByLabel('Your e-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Zk9-vTq4-mLp2-wRx7')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password is set').waitFor()
  expect(await page.getByText('ada@example.com').count()).toBeGreaterThan(0)
  expect(world.complaints).toEqual([])
})
