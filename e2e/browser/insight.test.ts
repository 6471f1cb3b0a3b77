import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlPage, startFakeSite, type FakeSite } from '../../service/test/fake-site.ts'
import { faultsOf, faultsOfScreens } from './page-faults.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

const TERRAFORM = 'Which Terraform provider belongs to the billing portal?'
const KEYS = 'When are keys rotated?'

let at: SignedInDashboard
let citewell: SignedInDashboard['citewell']
let site: FakeSite
let page: Page
let open: SignedInDashboard['open']
let complaints: string[]
let base: string
let workspace: string

/** Asks as the owner, and returns the last frame. */
async function ask(query: string): Promise<{ message_id: string; covered: boolean }> {
  const response = await fetch(new URL(`/api/v1/knowledge-bases/${base}/chat`, citewell.address), {
    method: 'POST',
    headers: { authorization: `Bearer ${citewell.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)]
  return JSON.parse(frames.at(-1)?.[1] ?? '') as { message_id: string; covered: boolean }
}

beforeAll(async () => {
  at = await openSharedDashboard()
  ;({ citewell, page, open, complaints } = at)
  site = await startFakeSite({
    '/': htmlPage('Acme docs', 'Welcome to the documentation of Acme.', { links: ['/keys'] }),
    '/keys': htmlPage(
      'Rotating keys',
      'Keys are rotated every day at midnight, UTC. The old key stops working within a minute.',
    ),
  })
  const made = await citewell.json<{ id: string; workspace_id: string }>('POST', '/api/v1/knowledge-bases', {
    name: 'Acme docs',
  })
  base = made.id
  workspace = made.workspace_id
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base}/sources`, {
    type: 'website',
    name: 'docs',
    config: { start_urls: [`${site.origin}/`] },
  })
  await citewell.json('POST', `/api/v1/sources/${source.id}/sync`)
  const documents = async () =>
    (await citewell.json<{ document_count: number }>('GET', `/api/v1/knowledge-bases/${base}`)).document_count
  while ((await documents()) < 2) await sleep(200)
}, 180_000)
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function saved(press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFileSync(await download.path())
}

test('a resolved gap opens again when one of its questions is asked in vain', async () => {
  await ask(KEYS)
  expect((await ask(TERRAFORM)).covered).toBe(false)
  const { data: gaps } = await citewell.json<{ data: { id: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base}/knowledge-gaps`,
  )
  await citewell.json('PATCH', `/api/v1/knowledge-gaps/${gaps[0]?.id}`, { status: 'resolved' })
  expect((await ask(TERRAFORM)).covered).toBe(false)
  await open(`/kb/${base}/gaps`)
  await page.getByText('Did not hold').waitFor()
  await page.getByRole('link', { name: /terraform provider/i }).click()
  await page.getByText('So it is open again.').waitFor()
  expect(complaints).toEqual([])
}, 120_000)

test('gaps, conversations, analytics and the activity log are saved as files', async () => {
  await open(`/kb/${base}/gaps`)
  await page.getByText('Did not hold').waitFor()
  const zip = await saved(() => page.getByRole('button', { name: 'Export Markdown files' }).click())
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  expect(zip.toString()).toContain('knowledge-gaps/README.md')
  expect(zip.toString()).toMatch(/knowledge-gaps\/which-terraform-provider-\S+\.md/)
  await open(`/kb/${base}/conversations`)
  const csv = await saved(() => page.getByRole('link', { name: 'Export CSV' }).click())
  expect(csv.toString()).toContain(TERRAFORM)
  const lines = await saved(() => page.getByRole('link', { name: 'Export NDJSON' }).click())
  expect(JSON.parse(lines.toString().split('\n')[0] ?? '')).toMatchObject({ question: TERRAFORM })
  await open(`/kb/${base}/analytics`)
  const days = await saved(() => page.getByRole('link', { name: 'Export CSV' }).click())
  expect(days.toString()).toMatch(/^\uFEFFday,surface,questions/)
  await open(`/w/${workspace}/activity`)
  const log = await saved(() => page.getByRole('link', { name: 'Export CSV' }).click())
  expect(log.toString()).toContain('knowledge_gap.updated')
  expect(complaints).toEqual([])
}, 180_000)

test(
  'questions of traces and files become a set, which is run and compared',
  { timeout: 240_000 },
  async () => {
    await open(`/kb/${base}/traces`)
    await page.getByRole('link', { name: KEYS }).click()
    await page.getByRole('button', { name: 'Add to the evaluation set' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Pages that answer it').inputValue()).toBe(`${site.origin}/keys`)
    await dialog.getByRole('button', { name: 'Save the question' }).click()
    await page.getByText('The question is in the evaluation set.').waitFor()

    await page.getByRole('link', { name: 'Evaluation', exact: true }).click()
    await page.getByRole('link', { name: 'Questions', exact: true }).click()
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Text' })
      .fill(`question,url,answerable\n${TERRAFORM},,no\n`)
    await page.getByRole('dialog').getByRole('button', { name: 'Import the questions' }).click()
    await page.getByRole('region', { name: 'Questions of the evaluation set' }).getByText(TERRAFORM).waitFor()

    const run = async () => {
      await page.getByRole('link', { name: 'Evaluation', exact: true }).click()
      await page.getByRole('button', { name: 'Run the evaluation' }).click()
      await page.getByText('✓ Done').waitFor()
      await page.getByRole('region', { name: 'Results' }).getByText('Right: answered').waitFor()
    }
    await run()
    expect(await page.getByRole('region', { name: 'Results' }).textContent()).toContain('Right: refused')
    await citewell.json('POST', `/api/v1/knowledge-bases/${base}/custom-answers`, {
      question: TERRAFORM,
      answer: 'Use the provider acme/billing.',
    })
    await run()
    await page.getByLabel('Show').selectOption('changed')
    expect(await page.getByRole('region', { name: 'Results' }).textContent()).toMatch(
      /Wrong: answered.*Worse/,
    )
    expect(complaints).toEqual([])
  },
)

test('ratings and traces are listed, and every new screen is free of accessibility faults', async () => {
  const { message_id: rated } = await ask(KEYS)
  await citewell.json('PUT', `/api/v1/messages/${rated}/rating`, {
    vote: 'down',
    comment: 'Which time zone?',
  })
  await open(`/kb/${base}/feedback`)
  await page.getByText('Which time zone?').waitFor()

  const { data: gaps } = await citewell.json<{ data: { id: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base}/knowledge-gaps`,
  )
  const { data: runs } = await citewell.json<{ data: { id: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base}/evaluations`,
  )
  const screens = [
    'gaps',
    'gaps?state=resolved',
    `gaps/${gaps[0]?.id}`,
    'feedback',
    'traces',
    'traces?tab=reports',
    `traces/${rated}`,
    'evaluation',
    'evaluation?tab=questions',
    `evaluation/${runs[0]?.id}`,
    'conversations',
    'analytics',
  ].map((screen) => `/kb/${base}/${screen}`)
  expect(await faultsOfScreens(page, screens, open)).toEqual({})
  expect(complaints).toEqual([])
}, 300_000)

test('a sync that would lose a question waits until a person accepts it; what it could not read is read again by its address', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  const { data: sources } = await citewell.json<{ data: { id: string; type: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base}/sources`,
  )
  const source = sources.find(({ type }) => type === 'website')?.id ?? ''
  await open(`/kb/${base}/sources/${source}`)
  await page.getByLabel('Hold back what it finds').selectOption('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved').first().waitFor()

  site.set('/', htmlPage('Acme docs', 'Welcome to the new documentation of Acme.', { links: ['/sso'] }))
  site.set('/keys', undefined)
  site.set('/sso', { status: 500 })
  await page.getByRole('button', { name: 'Read again' }).click()
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Held back' }) })
  await card.getByText('with the new documents it would be 0').waitFor()
  await card.getByRole('region', { name: 'Questions that lose their page' }).getByText(KEYS).waitFor()
  const held = card.getByRole('region', { name: 'Documents that are held back' })
  expect(await held.textContent()).toMatch(/Changed.*Acme docs/)
  expect(await held.textContent()).toMatch(/Removed.*Rotating keys/)
  expect(await faultsOf(page)).toEqual([])

  await card.getByRole('button', { name: 'Accept the new documents' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show them to readers' }).click()
  await page.getByText('Readers see the new documents now.').waitFor()
  await card.waitFor({ state: 'detached' })

  const history = page.getByRole('region', { name: 'Syncs' })
  await history.getByRole('button', { name: 'What changed' }).first().click()
  const changes = page.getByRole('dialog').getByRole('region', { name: 'Documents that changed' })
  await changes.getByText('Rotating keys').waitFor()
  await page.keyboard.press('Escape')
  site.set('/sso', htmlPage('Single sign-on', 'Okta is connected with SAML.'))
  await history.getByRole('button', { name: '1: why' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: false }).first().click()
  await history.getByText('retry of 1').waitFor()
  await history.getByText('measured').first().waitFor()
  await open(`/kb/${base}/documents`)
  await page.getByRole('link', { name: 'Single sign-on' }).waitFor()
  expect(complaints).toEqual([])
}, 240_000)
