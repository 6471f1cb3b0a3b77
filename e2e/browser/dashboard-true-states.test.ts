import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../service/test/fake-llm.ts'
import { htmlPage, startFakeSite } from '../../service/test/fake-site.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

const SAYS = fakeLlm.says('Old keys stay valid [2].\n\n', 'Keys rotate daily [1].\n\n', 'That is all.')

let llm: FakeLlm
let dashboard: SignedInDashboard
let citewell: SignedInDashboard['citewell']
let page: Page
let base: { id: string; workspace_id: string; client_key: { id: string } }

const make = async (path: string, body: unknown) =>
  await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/${path}`, body)
const openRoom = async (room: string) => await dashboard.open(`/kb/${base.id}/${room}`)
const cardOf = (name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

beforeAll(async () => {
  llm = await startFakeLlm(SAYS)
  dashboard = await openSharedDashboard()
  ;({ citewell, page } = dashboard)
  await citewell.json('PATCH', `/api/v1/workspaces/${dashboard.workspaceId}`, {
    llm: { base_url: llm.baseUrl, model: 'fake', api_key: 'a-key' },
  })
  base = await citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

test('a bot or help desk that is switched on and lacks something is not connected, and says what to add', async () => {
  await make('bots', { name: 'Help', platform: 'slack' })
  const half = await make('bots', { name: 'Half', platform: 'slack', credentials: { bot_token: 'xoxb-1' } })
  await make('bots', { name: 'Program', platform: 'other' })
  await openRoom('bots')
  await cardOf('Help').getByText('▲ Not connected yet: add “Bot token” and “Signing secret”').waitFor()
  await cardOf('Half').getByText('▲ Not connected yet: add “Signing secret”').waitFor()
  await cardOf('Program').getByText('○ On, for your own program').waitFor()

  const credentials = { bot_token: 'xoxb-1', signing_secret: 's' }
  await citewell.json('PATCH', `/api/v1/bots/${half.id}`, { credentials })
  await openRoom('bots')
  await cardOf('Half').getByText('✓ On').waitFor()
  await page.getByRole('switch', { name: 'Half: enabled' }).click()
  await cardOf('Half').getByText('○ Switched off').waitFor()

  await make('helpdesk-integrations', {
    name: 'Desk',
    platform: 'request_tracker',
    credentials: { token: 't' },
  })
  expect(await cardOf('Half').getByText('✓').count()).toBe(0)

  await openRoom('helpdesks')
  await cardOf('Desk')
    .getByText('▲ Not connected yet: add “Address of your Request Tracker” and “User that answers”')
    .waitFor()
})

test('a base that has read nothing does not answer, and a source without a document is not up to date', async () => {
  await dashboard.open(`/w/${base.workspace_id}`)
  const row = page.getByRole('row', { name: /Acme docs/ })
  await row.getByText('Nothing to answer from yet').waitFor()
  const source = await make('sources', { type: 'push', name: 'Guides' })
  await openRoom('sources')
  await page.getByText('Nothing pushed yet').waitFor()
  const documents = [
    { external_id: 'a', title: 'Limits', url: 'https://docs.example.com/a', markdown: 'Ten.' },
  ]
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents })
  await dashboard.open(`/w/${base.workspace_id}`)
  await row.getByText('✓ Answering').waitFor()
  expect(await row.getByText('Nothing to answer from yet').count()).toBe(0)
})

test('a source with a wrong address says why, first of all on the overview; it gets another one, and is deleted', async () => {
  await using site = await startFakeSite({
    '/': htmlPage('Acme docs', 'Welcome to the documentation of Acme.'),
  })
  for (const name of ['A', 'B', 'C', 'D', 'E']) await make('sources', { type: 'push', name })
  await openRoom('sources/new')
  await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Show what would be read' }).click()
  await page.getByRole('alert').getByText('Check the address').waitFor()
  // Only why: counts and lists of what was not looked at would say that there is nothing.
  expect(await page.getByText('as a sample').count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Pages that would be read' }).count()).toBe(0)
  await page.getByLabel('Name').fill('Handbook')
  await page.getByRole('button', { name: 'Add and read it' }).click()
  await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/)
  await page.getByRole('alert').getByText('http://127.0.0.1:9/ could not be read').waitFor()
  const itsPage = page.url()

  await openRoom('')
  const listed = cardOf('Sources').getByRole('listitem')
  await listed.first().getByText('✕ Failed').waitFor()
  expect(await listed.first().textContent()).toContain('Handbook')
  expect(
    await cardOf('Sources')
      .getByRole('link', { name: /^and \d+ more$/ })
      .count(),
  ).toBe(1)

  await page.goto(itsPage)
  await cardOf('What it reads').getByRole('link', { name: 'http://127.0.0.1:9/' }).waitFor()
  await page.getByLabel('Addresses').fill(`${site.origin}/`)
  await page.getByLabel('Exclude').fill('/blog/**')
  await page.getByRole('button', { name: 'Save' }).click()
  await cardOf('What it reads')
    .getByRole('link', { name: `${site.origin}/` })
    .waitFor()
  await cardOf('What it reads').getByText('/blog/**').waitFor()
  await page.getByRole('button', { name: 'Read again', exact: true }).click()
  await page.getByText('✓ Up to date').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByText('With it, 1 document will be deleted').waitFor()
  await page.getByRole('button', { name: 'Delete the source' }).click()
  await page.waitForURL(/\/sources$/)
  await expect.poll(() => page.getByRole('link', { name: 'Handbook' }).count()).toBe(0)
}, 120_000)

test(
  'a wrong address in the first steps leaves no knowledge base behind, and nor does leaving them',
  { timeout: 120_000, tags: ['long'] },
  async () => {
    await using site = await startFakeSite(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          index === 0 ? '/' : `/${index}`,
          htmlPage(`Part ${index}`, `Part ${index} of it.`, { links: [`/${index + 1}`, `/${index + 2}`] }),
        ]),
      ),
    )
    const names = async () =>
      (await citewell.json<{ data: { name: string }[] }>('GET', '/api/v1/knowledge-bases')).data.map(
        ({ name }) => name,
      )
    const { host } = new URL(site.origin)
    const address = page.getByLabel('Where is your documentation?')
    const look = async (typed: string) => {
      await address.fill(typed)
      await page.getByRole('button', { name: 'Look at it' }).click()
    }
    await dashboard.open('/start')
    for (const wrong of ['http://127.0.0.1:9', 'http://nosuchhost.invalid/docs']) {
      await look(wrong)
      await page.getByRole('alert').waitFor()
      await expect.poll(names).toEqual(['Acme docs'])
      await page.getByRole('button', { name: 'Change the address' }).click()
    }
    await look(site.origin)
    await page.getByText(/^and \d+ more$/).waitFor()
    expect(await names()).toContain(host)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(names).toEqual(['Acme docs'])
    await look(site.origin)
    await page.getByText(/^and \d+ more$/).waitFor()
    await page.getByRole('link', { name: 'Skip to the knowledge bases' }).click()
    await expect.poll(names).toEqual(['Acme docs'])

    await dashboard.open('/start')
    await look(site.origin)
    await page.getByRole('button', { name: /^Read (?:about )?\d+ pages|^Read the site/ }).click()
    await page.waitForURL(/step=ask/)
    await page.getByText(/pages so far|documents are ready/).waitFor()
    expect(await names()).toContain(host)
  },
)

test('a question that is not covered while pages are read says so, and is asked again when they are read', async () => {
  const held = Promise.withResolvers<ServerResponse>()
  const late = htmlPage('Alarms', 'A missed alarm calls the next person after nine minutes.')
  await using site = await startFakeSite({
    '/': htmlPage('Keys', 'Keys are rotated every day.', { links: ['/alarms'] }),
    '/alarms': (_asked, _request, response) => {
      held.resolve(response)
      return undefined
    },
  })
  const own = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Slow docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${own.id}/sources`, {
    type: 'website',
    name: 'Site',
    config: { start_urls: [site.origin] },
  })
  await citewell.json('POST', `/api/v1/sources/${source.id}/sync`)
  const response = await held.promise
  const documents = async () =>
    (await citewell.json<{ document_count: number }>('GET', `/api/v1/sources/${source.id}`)).document_count
  await expect.poll(documents, { timeout: 60_000 }).toBe(1)
  llm.script(
    fakeLlm.replies((messages) =>
      JSON.stringify(messages).includes('nine minutes')
        ? 'It calls the next person after nine minutes [1].'
        : 'NOT COVERED: The documentation says nothing of alarms.',
    ),
  )
  await dashboard.open(`/kb/${own.id}/ask`)
  await page.getByLabel('Your question').fill('Whom does a missed alarm call?')
  await page.keyboard.press('Enter')
  const turns = page.locator('article')
  await turns.first().getByText('Pages are still being read (1 of 2 so far)').waitFor()
  response.writeHead(200, late.headers).end(late.body)
  await turns.first().getByText('More pages have been read since.').waitFor()
  await turns.first().getByRole('button', { name: 'Ask again' }).click()
  await turns.last().getByText('after nine minutes').waitFor()
  expect(await page.getByText('More pages have been read since.').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Ask again' }).count()).toBe(0)
  llm.script(SAYS)
})

test('without a live public key no page can load a widget, which its screens say', async () => {
  await openRoom('widgets')
  await page.getByRole('switch').first().waitFor()
  const says = page.getByText('No page can load a widget')
  expect(await says.count()).toBe(0)
  await citewell.json('DELETE', `/api/v1/client-keys/${base.client_key.id}`)
  await openRoom('widgets')
  await says.waitFor()
  await page.getByRole('link', { name: /Looks, preview/ }).click()
  await page.getByRole('heading', { name: 'Put it on your site' }).waitFor()
  await says.waitFor()
})

test('where what had the focus is deleted, the focus stays beside it', async () => {
  for (const question of ['How are owls fed?', 'Where do owls sleep?'])
    await make('custom-answers', { question, answer: 'By night.' })
  await openRoom('answers')
  const region = page.getByRole('region', { name: 'Custom answers' })
  await region.getByRole('button', { name: 'Delete Where do owls sleep?' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the answer' }).focus()
  await page.keyboard.press('Enter')
  await region.getByText('Where do owls sleep?').waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")'))
    .toBe('Custom answers')
})

test('a message stays while it is pointed at, and goes afterwards', { tags: ['long'] }, async () => {
  await make('custom-answers', { question: 'What do owls hear?', answer: 'Mice.' })
  await openRoom('answers')
  await page.getByRole('button', { name: /^Delete What do owls hear/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the answer' }).click()
  const message = page.getByText('The answer was deleted.')
  await message.hover()
  await page.waitForTimeout(7_000)
  expect(await message.isVisible()).toBe(true)
  await page.mouse.move(2, 2)
  await message.waitFor({ state: 'detached' })
})

test('a service that cannot be reached says nothing of what was typed where nothing was', async () => {
  await openRoom('documents')
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Custom answers' }).click()
  await page.getByText('The service cannot be reached.').first().waitFor()
  expect(await page.getByText('What you typed is still here.').count()).toBe(0)
  await page.unroute('**/api/v1/**')
})

test('the numbers in a finished answer are those of its sources, whatever they were while it was written', async () => {
  const source = await make('sources', { type: 'push', name: 'Keys' })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'a',
        title: 'Rotating keys',
        url: 'https://docs.test/a',
        markdown: 'Keys rotate daily.',
      },
      { external_id: 'b', title: 'Old keys', url: 'https://docs.test/b', markdown: 'Old keys stay valid.' },
    ],
  })
  await openRoom('ask')
  await page.getByLabel('Your question').fill('How do keys rotate?')
  await page.keyboard.press('Enter')
  await page.getByText(/[✓▲] (?:Not covered|Covered)/).waitFor()
  const chips = page.getByRole('log').getByRole('button', { name: /^Source \d/ })
  expect(await chips.allTextContents()).toEqual(['1', '2'])
})
