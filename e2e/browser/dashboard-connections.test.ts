import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../service/test/connectors/random.ts'
import { startZendesk, ZENDESK_TOKEN } from '../../service/test/connectors/zendesk-stand-in.ts'
import { startSlackStandIn } from '../../service/test/platforms/slack-stand-in.ts'
import { deliverToBot, slackMention } from '../../service/test/platforms/slack-world.ts'
import { startZendeskStandIn } from '../../service/test/platforms/zendesk-tickets-stand-in.ts'
import { STREAMS } from './end-streams.ts'
import { faultsOf } from './page-faults.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

/** Bots, sources and widgets show what the services and pages that they are connected to tell of them. */

interface Created {
  id: string
  widget: { id: string }
  client_key: { key: string }
}

interface ReadSource {
  type: string
  document_count: number
  visibility: string
  has_credentials: boolean
  last_sync: { status: string } | null
}

let at: SignedInDashboard
let base: Created

beforeAll(async () => {
  at = await openSharedDashboard()
  base = await at.citewell.json<Created>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
})

/** A busy machine needs seconds for what takes milliseconds. */
const SOON = { timeout: 60_000 }
const openRoom = async (room: string) => {
  await at.open(`/kb/${base.id}/${room}`)
  await at.page.getByRole('heading', { level: 1 }).waitFor()
}
const isTooWide = async () =>
  await at.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

/** Looks at the screen as it is, wide in light colours and narrow in dark ones. */
async function expectNoFaults(): Promise<void> {
  const { page } = at
  for (const [colorScheme, width] of [
    ['dark', 390],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    expect([colorScheme, await faultsOf(at.page), await isTooWide()]).toEqual([colorScheme, [], false])
  }
}

test('a bot in Slack is set up from its screen, and the check says in words what is missing', async () => {
  await using slack = await startSlackStandIn()
  const { page } = at
  const bot = await at.citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/bots`, {
    name: 'Help',
    platform: 'slack',
    config: { api_url: slack.apiUrl },
  })
  await openRoom('bots')
  await page.getByText('Connect it to Slack').click()
  const setup = await at.citewell.json<{ hook_url: string; manifest: unknown }>(
    'GET',
    `/api/v1/bots/${bot.id}/setup`,
  )
  await page.getByText(setup.hook_url, { exact: true }).waitFor()
  const manifest = await page.locator('figure', { hasText: 'From a manifest' }).locator('code').textContent()
  expect(JSON.parse(manifest ?? '')).toEqual(setup.manifest)
  await page.getByText('docs/guide/slack.md').waitFor()
  const needs = page.getByRole('list', { name: 'What it needs' })
  expect(await needs.textContent()).toMatch(/Missing bot_token.*Missing signing_secret/)

  await page.getByRole('button', { name: 'Check Help' }).click()
  await page.getByText('The credential bot_token is missing').waitFor()
  await page.getByRole('button', { name: 'Change Help' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bot token').fill(slack.credentials.bot_token)
  await dialog.getByLabel('Signing secret').fill(slack.credentials.signing_secret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => await needs.textContent(), SOON).toMatch(/Stored bot_token.*Stored signing/)

  slack.scopes.delete('im:history')
  await page.getByRole('button', { name: 'Check Help' }).click()
  await page.getByText('The bot token lacks im:history').waitFor()
  await expectNoFaults()
  slack.scopes.add('im:history')
  await page.getByRole('button', { name: 'Check Help' }).click()
  await page.getByText('It is connected.').waitFor()
  expect(await page.content()).not.toContain(slack.credentials.bot_token)

  slack.misbehave('chat.postMessage', { is: 'error', error: 'token_revoked' })
  const asked = slackMention('How do I rotate keys?', { ts: '1800.1' })
  const service = {
    fetch: (path: string, request?: RequestInit) => fetch(new URL(path, at.citewell.address), request),
  }
  expect((await deliverToBot(service, slack, bot.id, asked)).status).toBe(200)
  await expect
    .poll(async () => {
      await openRoom('bots')
      await page.getByRole('button', { name: 'Check Help' }).waitFor()
      return (await page.getByRole('main').textContent()) ?? ''
    }, SOON)
    .toMatch(/token_revoked.*Since: /)
}, 240_000)

test('a help desk in Zendesk is set up from its screen, and the check says whether it is connected', async () => {
  await using zendesk = await startZendeskStandIn()
  const { page } = at
  const desk = await at.citewell.json<{ id: string }>(
    'POST',
    `/api/v1/knowledge-bases/${base.id}/helpdesk-integrations`,
    {
      name: 'Support',
      platform: 'zendesk',
      config: { api_url: zendesk.apiUrl },
      credentials: { email: zendesk.credentials.email, api_token: zendesk.credentials.api_token },
    },
  )
  await openRoom('helpdesks')
  await page.getByText('Connect it to Zendesk').click()
  const setup = await at.citewell.json<{ hook_url: string }>(
    'GET',
    `/api/v1/helpdesk-integrations/${desk.id}/setup`,
  )
  await page.getByText(setup.hook_url, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Check Support' }).click()
  await page.getByText('The credential signing_secret is missing').waitFor(SOON)
  await expectNoFaults()
  await at.citewell.json('PATCH', `/api/v1/helpdesk-integrations/${desk.id}`, {
    credentials: zendesk.credentials,
  })
  await page.getByRole('button', { name: 'Check Support' }).click()
  await page.getByText('It is connected. Its credentials open bot@acme.example in Zendesk.').waitFor(SOON)
  expect(await page.content()).not.toContain(zendesk.credentials.api_token)
})

test('what happens in a base is shown by its stream, also what happened while the stream was broken', async () => {
  const { page } = at
  const made: string[] = []
  async function make(name: string): Promise<void> {
    const { id } = await at.citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/sources`,
      { type: 'push', name, config: {} },
    )
    made.push(id)
  }
  const stream = page.waitForResponse(STREAMS)
  await openRoom('sources')
  await stream
  await make('Told by the stream')
  await page.getByRole('link', { name: 'Told by the stream' }).waitFor(SOON)

  // Streams that begin and end, and never tell that anything has changed.
  let opened = 0
  const broken = await page.route(STREAMS, async (route) => {
    opened += 1
    if (opened === 2) await make('Made in between')
    await route.fulfill({
      status: 200,
      contentType: 'text/event-stream',
      body: 'data: {"syncs":[],"changed":[]}\n\n',
    })
  })
  await openRoom('sources')
  await page.getByRole('link', { name: 'Made in between' }).waitFor(SOON)
  expect(opened).toBeGreaterThan(1)
  await broken.dispose()
  for (const id of made) await at.citewell.json('DELETE', `/api/v1/sources/${id}`)
})

test('a widget says where it was seen, and that it was not', async () => {
  const { page } = at
  await openRoom('widgets')
  await page.getByText('Not seen on a page yet').waitFor()
  await fetch(new URL(`/api/v1/public/knowledge-bases/${base.id}/widget-config`, at.citewell.address), {
    headers: { 'x-client-key': base.client_key.key, origin: 'https://docs.example.com' },
  })
  await expect
    .poll(async () => {
      await openRoom('widgets')
      return (await page.getByRole('main').textContent()) ?? ''
    }, SOON)
    .toMatch(/Seen on docs\.example\.com, just now/)
  await openRoom(`widgets/${base.widget.id}`)
  await page.getByText('Seen on docs.example.com').waitFor()
}, 240_000)

test(
  'a help center is added after its preview says who reads it; deletions that were held back are let go',
  { timeout: 240_000, tags: ['long'] },
  async () => {
    await using zendesk = await startZendesk()
    const random = createRandom(7)
    for (let made = 0; made < 40; made += 1) zendesk.model.add(random)
    const { page } = at
    await openRoom('sources/new')
    await page.getByLabel('Type').selectOption('zendesk_help_center')
    await page.getByText('docs/guide/sources-zendesk.md').waitFor()
    await page.getByLabel('Address', { exact: true }).fill(zendesk.server.origin)
    await page.getByLabel('API token').fill('a-wrong-token')
    await page.getByLabel('E-mail address of an agent').fill('agent@acme.example')
    await page.getByRole('button', { name: 'Show what would be read' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API token').fill(ZENDESK_TOKEN)
    await page.getByRole('button', { name: 'Show what would be read' }).click()
    await page.getByText(/Signed in there as Ada/).waitFor()
    await expectNoFaults()
    await page.getByRole('button', { name: 'Add and read it' }).click()
    await page.waitForURL(/\/sources\/[0-9a-f-]+$/)
    const read = async () =>
      (await at.citewell.json<{ data: ReadSource[] }>('GET', `/api/v1/knowledge-bases/${base.id}/sources`))
        .data[0]
    await expect.poll(async () => (await read())?.last_sync?.status, SOON).toBe('succeeded')
    const first = await read()
    expect(first).toMatchObject({
      type: 'zendesk_help_center',
      has_credentials: true,
      document_count: zendesk.model.documents().size,
    })
    expect(await page.content()).not.toContain(ZENDESK_TOKEN)

    zendesk.model.hideMost()
    await openRoom('sources')
    await page.getByRole('button', { name: /^Read again/ }).click()
    await page.getByRole('button', { name: 'Deletions held back' }).click(SOON)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The source no longer shows').waitFor()
    await expectNoFaults()
    expect((await read())?.document_count).toBe(first?.document_count)
    await dialog.getByRole('button', { name: 'Read again and delete them' }).click()
    await expect.poll(async () => (await read())?.document_count ?? 0, SOON).toBeLessThan(20)
    await page.getByText('Up to date').waitFor(SOON)
    expect(await page.getByRole('button', { name: 'Deletions held back' }).count()).toBe(0)
  },
)

test('Notion is added with its secret alone', async () => {
  const { page } = at
  await openRoom('sources/new')
  await page.getByLabel('Type').selectOption('notion')
  expect(await page.getByLabel('Address', { exact: true }).count()).toBe(0)
  await page.getByText('docs/guide/sources-notion.md').waitFor()
  await expectNoFaults()
  const asked = page.waitForRequest(/\/sources$/)
  await page.route(/\/sources$/, async (route) => await route.abort())
  await page.getByLabel('Internal integration secret').fill('ntn_secret')
  await page.getByLabel('Treat all pages as published').check()
  await page.getByRole('button', { name: 'Add and read it' }).click()
  expect((await asked).postDataJSON()).toMatchObject({
    type: 'notion',
    name: 'Notion',
    config: { publish_all: true },
    credentials: { token: 'ntn_secret' },
  })
  await page.unroute(/\/sources$/)
}, 120_000)

test('files of the computer are sent, read and replaced; a failure in between makes no second source', async () => {
  const { page } = at
  const file = (name: string, text: string) => ({
    name,
    mimeType: 'text/markdown',
    buffer: Buffer.from(text),
  })
  const uploaded = async () =>
    (
      await at.citewell.json<{ data: ReadSource[] }>('GET', `/api/v1/knowledge-bases/${base.id}/sources`)
    ).data.filter(({ type }) => type === 'files')
  const titles = async () =>
    (
      await at.citewell.json<{ data: { title: string }[] }>(
        'GET',
        `/api/v1/knowledge-bases/${base.id}/documents?q=Refunds`,
      )
    ).data.map(({ title }) => title)
  await openRoom('sources/new')
  await page.getByLabel('Type').selectOption('files')
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([
      file('refunds.md', '# Refunds in May\n\nWithin 30 days.'),
      file('keys.md', '# Keys\n\nRotate them.'),
      file('wrong.md', '# Refunds that are not meant'),
      file('film.mp4', 'no text'),
    ])
  await page.getByText('3 files, 1 kB. One file will not be sent: its type is not read.').waitFor()
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  expect(await chosen.getByRole('listitem').first().textContent()).toContain('film.mp4 1 kB ▲ not sent')
  await chosen.getByRole('button', { name: 'Remove wrong.md' }).click()
  await page.getByText('2 files, 1 kB. One file').waitFor()
  await expectNoFaults()
  await page.route(/\/files$/, async (route) => await route.abort())
  const send = page.getByRole('button', { name: 'Add and read them' })
  await send.click()
  await page.getByRole('alert').waitFor()
  await page.unroute(/\/files$/)
  await page.getByText('Version, visibility').click()
  await page.getByLabel('Visible to').selectOption('restricted')
  await send.click()
  await page.waitForURL(/\/sources\/[0-9a-f-]+$/)
  await expect.poll(async () => (await uploaded()).map((source) => source.document_count), SOON).toEqual([2])
  expect(await titles()).toEqual(['Refunds in May'])
  expect((await uploaded())[0]?.visibility).toBe('restricted')

  const files = page.getByRole('region', { name: 'Uploaded files' })
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([file('scan.pdf', 'no PDF'), file('prices.csv', 'Plan,Price\nTeam,12')])
  await page.getByRole('button', { name: 'Send and read them' }).click()
  const scan = files.getByRole('row').filter({ hasText: 'scan.pdf' })
  await scan.getByText('not read').waitFor()
  await scan.getByText('The file is not a PDF').waitFor()
  await expectNoFaults()
  await scan.getByRole('button', { name: 'Delete scan.pdf' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
  await scan.waitFor({ state: 'detached' })
  await files.getByRole('button', { name: 'Delete prices.csv' }).click()
  await page.getByRole('dialog').getByText('Its document is deleted too').waitFor()
  await expectNoFaults()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click()
  await expect.poll(async () => (await uploaded()).map((source) => source.document_count), SOON).toEqual([2])

  await page.getByRole('heading', { name: 'Add files' }).waitFor()
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([file('refunds.md', '# Refunds in June\n\nWithin 60 days.')])
  await expectNoFaults()
  await page.getByRole('button', { name: 'Send and read them' }).click()
  await expect.poll(titles, SOON).toEqual(['Refunds in June'])
  expect((await uploaded()).map((source) => source.document_count)).toEqual([2])

  await openRoom('documents?q=Refunds')
  await page.getByRole('link', { name: 'Refunds in June' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByText('It disappears from answers at once.').waitFor()
  await expectNoFaults()
  await page.getByRole('button', { name: 'Delete the document' }).click()
  await page.waitForURL(/\/documents$/)
  expect(await titles()).toEqual([])
  expect((await uploaded()).map((source) => source.document_count)).toEqual([1])
}, 240_000)
