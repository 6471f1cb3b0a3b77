import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOfScreens } from './page-faults.ts'
import { openSharedDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

interface Created {
  id: string
  workspace_id: string
  widget: { id: string }
  client_key: { id: string; key: string }
}

let dashboard: SignedInDashboard
let citewell: SignedInDashboard['citewell']
let page: Page
let base: Created
let internal: Created

const make = async <Made>(path: string, body: unknown) =>
  await citewell.json<Made>('POST', `/api/v1${path}`, body)
const read = async <Read>(path: string) => await citewell.json<Read>('GET', `/api/v1${path}`)
const list = async <One>(of: string, baseId = base.id) =>
  (await read<{ data: One[] }>(`/knowledge-bases/${baseId}/${of}`)).data
const openRoom = async (room: string, baseId = base.id) => await dashboard.open(`/kb/${baseId}/${room}`)
const dialog = () => page.getByRole('dialog')
/** A busy machine needs seconds for what takes milliseconds. */
const SOON = { timeout: 30_000 }

beforeAll(async () => {
  dashboard = await openSharedDashboard()
  ;({ citewell, page } = dashboard)
  base = await make<Created>('/knowledge-bases', { name: 'Acme docs' })
  internal = await make<Created>('/knowledge-bases', { name: 'Handbook', type: 'internal' })
  const source = await make<{ id: string }>(`/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'Guide',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Rotating keys',
        url: 'https://docs.example.com/keys',
        markdown:
          '# Rotating keys\n\nKeys are rotated every day at midnight, UTC. The old key stops working.',
      },
    ],
  })
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
})

test('a source for documents that a program sends is added, and its commands work as they are shown', async () => {
  await openRoom('sources/new')
  await page.getByLabel('Type').selectOption({ label: 'Documents that a program of yours sends' })
  await page.getByText('Add it from a program').click()
  expect(await page.locator('main pre').textContent()).toContain(
    `/api/v1/knowledge-bases/${base.id}/sources'`,
  )
  await page.getByLabel('Name').fill('Release notes')
  await page.getByRole('button', { name: 'Add it, and show how' }).click()
  await page.getByRole('heading', { name: 'Send documents' }).waitFor()
  const command = (await page.getByRole('tabpanel').locator('pre').textContent()) ?? ''
  const sent = await promisify(execFile)('sh', ['-c', command.replace('curl ', 'curl -sS ')], {
    env: { PATH: process.env['PATH'], CITEWELL_TOKEN: citewell.token },
  })
  expect(JSON.parse(sent.stdout)).toMatchObject({ documents: [{ external_id: 'faq-1', outcome: 'added' }] })
  expect(await list<{ name: string; document_count: number }>('sources')).toContainEqual(
    expect.objectContaining({ name: 'Release notes', document_count: 1 }),
  )
  await page.getByRole('link', { name: 'make one in your settings' }).click()
  await page.getByRole('heading', { name: 'Access tokens' }).waitFor()
})

test('the name of an MCP server is checked while it is typed; the server gets instructions for each tool', async () => {
  await openRoom('mcp')
  await page.getByText('no identity provider').waitFor()
  await page.getByRole('button', { name: 'New MCP server' }).click()
  const name = dialog().getByLabel('Name')
  expect(await name.inputValue()).toBe('acme-docs')
  await name.fill('docs')
  await dialog().getByText('This name is reserved').waitFor()
  await name.fill('Docs')
  await dialog().getByText('Only lowercase letters').waitFor()
  await dialog().getByRole('button', { name: 'Create server' }).click()
  expect(await list('mcp-servers')).toEqual([])
  await name.fill('acme-docs')
  await dialog().getByRole('button', { name: 'Create server' }).click()
  await page.getByRole('heading', { name: 'acme-docs' }).waitFor()

  await page.getByText('Connect a tool').click()
  await page.getByRole('tab', { name: 'Claude Code' }).press('ArrowRight')
  const snippet = await page.getByRole('tabpanel', { name: 'Cursor' }).locator('code').textContent()
  expect(JSON.parse(snippet ?? '')).toEqual({
    mcpServers: {
      'acme-docs': {
        url: `${citewell.address}/mcp/acme-docs`,
        headers: { Authorization: 'Bearer ${env:CITEWELL_KEY}' },
      },
    },
  })
  await page.getByRole('tab', { name: 'Claude Code' }).click()
  expect(await page.getByRole('tabpanel').textContent()).toContain(`Bearer ${base.client_key.key}`)

  await page.getByRole('switch', { name: /get_documents/ }).click()
  await expect
    .poll(async () => (await read<{ settings: object }>(`/knowledge-bases/${base.id}`)).settings, SOON)
    .toMatchObject({ mcp_documents_enabled: true })

  await page.getByRole('button', { name: 'New MCP server' }).click()
  await name.fill('acme-docs')
  await dialog().getByRole('button', { name: 'Create server' }).click()
  await dialog().getByText('The name "acme-docs" is taken.').waitFor()
  expect(await name.inputValue()).toBe('acme-docs')
  await page.keyboard.press('Escape')
})

/** Asks the support form in the preview, and returns what is shown. */
async function askForm(frame: FrameLocator, question: string): Promise<string> {
  await frame.getByLabel('How can we help?').fill(question)
  await frame.getByRole('button', { name: 'Send', exact: true }).click()
  await frame.getByRole('button', { name: 'This solved it' }).waitFor()
  return (await frame.locator('citewell-form').textContent()) ?? ''
}

test('a form deflector is made, tried in the page, and changed; what solved a request is counted', async () => {
  await openRoom('forms')
  await page.getByRole('button', { name: 'New form deflector' }).click()
  await dialog().getByLabel('Name').fill('Contact form')
  await dialog().getByRole('button', { name: 'Create form deflector' }).click()
  await page.getByRole('heading', { name: 'Contact form', level: 1 }).waitFor()

  const frame = page.frameLocator('iframe[title="Preview of the support form"]')
  await askForm(frame, 'When are keys rotated by the service?')
  await frame.getByText('every day at midnight').first().waitFor()
  await frame.getByRole('button', { name: 'This solved it' }).click()

  await page.getByLabel('Minimum confidence').fill('85')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved.').waitFor()
  const [form] = await list<{ id: string; min_confidence: number }>('form-deflectors')
  expect(form?.min_confidence).toBe(0.85)
  expect(await page.getByRole('tabpanel', { name: 'HTML' }).textContent()).toContain(`form-id="${form?.id}"`)

  await page.getByRole('link', { name: 'All form deflectors' }).click()
  await page.getByRole('link', { name: 'Contact form' }).waitFor()
  await expect
    .poll(async () => {
      await openRoom('forms')
      await page.getByText('Deflection rate').waitFor()
      return (await page.getByRole('main').textContent()) ?? ''
    }, SOON)
    .toContain('Deflection rate100 %')
}, 240_000)

test('a widget is shown as it will be while it is changed, also with origins that do not name this service', async () => {
  await openRoom('widgets')
  await page.getByRole('link', { name: /^Looks, preview/ }).click()
  await page.getByLabel('Allowed origins').fill('https://docs.example.com')
  await page.getByLabel('Opens as').selectOption('embedded')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The widget was saved.').waitFor()
  await citewell.json('PATCH', `/api/v1/client-keys/${base.client_key.id}`, {
    allowed_origins: ['https://docs.example.com'],
  })
  await page.getByText('Words', { exact: true }).click()
  await page.getByLabel('Placeholder').fill('Ask the owl')
  const frame = page.frameLocator('iframe[title="Preview of the widget"]')
  const question = frame.locator('citewell-ask').getByPlaceholder('Ask the owl')
  await question.fill('When are keys rotated?')
  await question.press('Enter')
  await frame.getByText('every day at midnight').first().waitFor()
  expect(await read(`/widgets/${base.widget.id}`)).toMatchObject({
    allowed_origins: ['https://docs.example.com'],
    config: { mode: 'embedded' },
  })

  await page.getByText('Looks', { exact: true }).click()
  await page.getByText('Looks', { exact: true }).click()
  await page.getByLabel('Accent colour').fill('bluish nonsense')
  await page.getByLabel('Corner radius').fill('huge')
  await page.getByRole('button', { name: 'Save' }).click()
  const fault = page.getByRole('alert')
  await fault.getByText('Accent colour must be a CSS colour, such as #0b6e69').waitFor()
  // Each fault once, and in the words of the form.
  expect(await fault.getByText('must be').count()).toBe(2)
  expect(await fault.textContent()).not.toContain('config.')
  const isRed = async (label: string) =>
    (await page.getByLabel(label).getAttribute('aria-invalid')) === 'true'
  expect([await isRed('Accent colour'), await isRed('Corner radius')]).toEqual([true, true])
  await page.getByLabel('Corner radius').fill('8px')
  expect([await isRed('Accent colour'), await isRed('Corner radius')]).toEqual([true, false])
  // Refused once more, it is told once more.
  await page.getByLabel('Corner radius').fill('huge')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => await isRed('Corner radius'), SOON).toBe(true)
  await page.getByLabel('Accent colour').fill('url(x)')
  expect(await page.getByLabel('Accent colour').inputValue()).toBe('url(x)')
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await page.getByLabel('Accent colour').inputValue()).toBe('')
  await page.getByRole('tab', { name: 'Docusaurus' }).click()
  expect(await page.getByRole('tabpanel').textContent()).toContain(`'data-widget-id': '${base.widget.id}'`)
}, 240_000)

test('a bot of an internal base needs the acknowledgement; its credentials are stored and never shown', async () => {
  await openRoom('bots', internal.id)
  await page.getByRole('button', { name: 'Connect a bot' }).click()
  await dialog().getByLabel('Name').fill('Help')
  await dialog().getByLabel('Bot token').fill('xoxb-very-secret')
  await dialog().getByLabel('Signing secret').fill('signs-very-secret')
  await dialog().getByRole('button', { name: 'Connect a bot' }).click()
  expect(await list('bots', internal.id)).toEqual([])
  await dialog()
    .getByRole('switch', { name: /everyone in its channel/ })
    .check()
  await dialog().getByRole('button', { name: 'Connect a bot' }).click()
  await page.getByText('It answers everyone in its channel from this internal').waitFor()
  const [bot] = await list<{ id: string }>('bots', internal.id)
  expect(bot).toMatchObject({ platform: 'slack', has_credentials: true, answers_internal: true, config: {} })
  expect(await page.content()).not.toContain('very-secret')

  await page.getByRole('button', { name: 'Change Help' }).click()
  await dialog().getByLabel('Name').fill('Help of the team')
  expect(await dialog().getByLabel('Bot token').inputValue()).toBe('')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Help of the team' }).waitFor()
  expect(await read(`/bots/${bot?.id}`)).toMatchObject({ has_credentials: true })
  await page.getByRole('switch').click()
  await expect.poll(async () => await read(`/bots/${bot?.id}`), SOON).toMatchObject({ enabled: false })
})

test(
  'past tickets are tried one by one and as a run, two runs are compared, and a run is exported',
  { timeout: 240_000, tags: ['long'] },
  async () => {
    await openRoom('helpdesks')
    await page.getByRole('button', { name: 'Add a help desk' }).click()
    await dialog().getByLabel('Name').fill('Support')
    await dialog().getByLabel('Platform').selectOption('other')
    await dialog().getByRole('button', { name: 'Add a help desk' }).click()
    await page.getByText('Try a ticket').click()
    await page.getByLabel('Customer’s message').fill('When are keys rotated?')
    await page.getByRole('button', { name: 'Hand it in' }).click()
    await page.getByText('Answered: this would be posted').waitFor()
    await page.getByRole('button', { name: 'Hand it in' }).click()
    await page.getByText('the customer wrote again').waitFor()

    const run = async (name: string, tickets: string) => {
      await openRoom('simulations')
      await page.getByRole('button', { name: 'New simulation' }).click()
      await dialog().getByLabel('Name').fill(name)
      await dialog().getByLabel('Or paste them').fill(tickets)
      await dialog().getByRole('button', { name: 'Read the tickets' }).click()
      await dialog().getByText('2 tickets in the file, 2 to try').waitFor()
      await dialog().getByText('nothing leaves this service').waitFor()
      await dialog().getByRole('button', { name: 'Start the simulation' }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.getByText('Finished').waitFor()
    }
    await run(
      'October',
      'ref,body\n1,"When are keys rotated, exactly?"\n2,Which SQL dialect does billing speak?',
    )
    await page.getByText('1 of 2').first().waitFor()
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/custom-answers`, {
      question: 'Which SQL dialect does billing speak?',
      answer: 'Billing speaks the SQL dialect of PostgreSQL.',
    })
    await run(
      'November',
      'ref,body\n1,"When are keys rotated, exactly?"\n2,Which SQL dialect does billing speak?',
    )
    await page.getByLabel('Compare with').selectOption({ label: 'October' })
    await page
      .getByText('✓ Answered now')
      .or(page.getByText('Answered now', { exact: true }))
      .first()
      .waitFor()
    await page.getByText('2 tickets are in both. 1 is answered now that was not').waitFor()

    await page.getByRole('button', { name: 'Review answers' }).click()
    await page.getByRole('heading', { name: 'The customer' }).waitFor()
    await page.getByRole('button', { name: 'Right', exact: true }).click()
    await page.getByText('1 of 30 reviewed').waitFor()
    await page.getByRole('button', { name: 'Partly right' }).click()
    await page.getByText('2 of 30 reviewed').waitFor()
    await page.getByText('Every answer has been reviewed.').waitFor()
    await page.getByText('What it would save').click()
    await page.getByText('Review 30 answers first').waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    const exported = await readFile(await download.path(), 'utf8')
    expect(exported.split('\r\n')[1]).toMatch(/^1,,"When are keys rotated, exactly\?",,,en,deflected,/)
  },
)

test(
  'approvals are decided by the keys J, A and R, with a comment, and letters in fields stay letters',
  { tags: ['long'] },
  async () => {
    const agent = await make<{ id: string }>(`/knowledge-bases/${base.id}/agent-apps`, { name: 'Refunds' })
    const ask = async (title: string) =>
      await make<{ id: string }>(`/knowledge-bases/${base.id}/approvals`, {
        agent_id: agent.id,
        title,
        content: '<img src=x onerror=alert(1)> Your refund is on its way.',
      })
    const [older, newer] = [await ask('Reply to ticket 1'), await ask('Reply to ticket 2')]
    await openRoom('approvals')
    await page.getByText('<img src=x').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await dialog().getByLabel('Comment').fill('rajak: a fine reply')
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await page.getByText('It was approved.').waitFor()
    expect(await read(`/approvals/${older.id}`)).toMatchObject({
      decision: 'approved',
      comment: 'rajak: a fine reply',
    })
    // Once the list is read again: until then the keys are those of the dialog.
    await dialog().waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let sent = 0
    await page.route(`**/approvals/${newer.id}`, async (route) => {
      sent += 1
      await released
      await route.continue()
    })
    await dialog().getByLabel('Comment').press('Control+Enter')
    await dialog().getByRole('button', { name: 'Reject', disabled: true }).waitFor()
    await dialog().getByLabel('Comment').press('Control+Enter')
    release()
    await page.getByText('Nothing is waiting for a decision.').waitFor()
    expect(sent).toBe(1)
    await page.unroute(`**/approvals/${newer.id}`)
    expect(await dialog().count()).toBe(0)
    expect(await read(`/approvals/${newer.id}`)).toMatchObject({ decision: 'rejected', comment: null })
    await page.getByLabel('Show').selectOption('approved')
    await page.getByText('rajak: a fine reply').waitFor()
    // The last one was decided: its dialog does not come back with another list.
    expect(await dialog().count()).toBe(0)

    // What is typed about one stays when somebody else has decided it meanwhile, and who decides too late is told.
    await page.getByLabel('Show').selectOption('pending')
    const contested = await ask('Reply to ticket 3')
    await page.getByRole('button', { name: 'Reject' }).click()
    await dialog().getByLabel('Comment').fill('not like this')
    await citewell.json('PATCH', `/api/v1/approvals/${contested.id}`, { decision: 'approved' })
    await page.getByText('Nothing is waiting for a decision.').waitFor()
    expect(await dialog().getByLabel('Comment').inputValue()).toBe('not like this')
    await dialog().getByRole('button', { name: 'Reject' }).click()
    await dialog().getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await dialog().getByRole('button', { name: 'Close without saving' }).click()
  },
)

test(
  'a source group is made, filled and deleted; without the plan there is a reason and no button',
  { tags: ['long'] },
  async () => {
    await openRoom('groups')
    await page.getByRole('button', { name: 'New source group' }).click()
    await dialog().getByLabel('Name').fill('Version 2')
    await dialog().getByRole('button', { name: 'Save the group' }).click()
    await page.getByRole('button', { name: 'Choose sources' }).click()
    // Not `check()`: it looks for the new state in the same instant, and the switch has it with the next frame.
    await dialog().getByRole('switch', { name: 'Guide' }).click()
    await expect
      .poll(async () => (await list<{ name: string; source_group_id: string | null }>('sources'))[0], SOON)
      .toMatchObject({ source_group_id: expect.any(String) })
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'Guide' }).waitFor()

    const setPlan = async (plan: string) =>
      await dashboard.asOperator('PATCH', `/api/v1/workspaces/${base.workspace_id}`, { plan })
    await setPlan('pro')
    await openRoom('groups')
    await page.getByText('The workspace needs another plan for this').waitFor()
    await page.getByRole('cell', { name: 'Version 2' }).waitFor()
    expect(await page.getByRole('button', { name: 'New source group' }).count()).toBe(0)
    await setPlan('enterprise')
    await openRoom('groups')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog().getByRole('button', { name: 'Delete the group' }).click()
    await page.getByText('No source groups yet.').waitFor()
  },
)

test('an internal base says why it has no forms, help desks and simulations, and an archived one changes nothing', async () => {
  await openRoom('forms', internal.id)
  await page.getByText('An internal knowledge base answers no forms').waitFor()
  const button = page.getByRole('button', { name: 'New form deflector' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.click({ force: true })
  expect(await dialog().count()).toBe(0)

  const old = await make<Created>('/knowledge-bases', { name: 'Old docs' })
  await make(`/knowledge-bases/${old.id}/form-deflectors`, { name: 'Contact form' })
  await citewell.json('POST', `/api/v1/knowledge-bases/${old.id}/archive`)
  for (const [room, label] of [
    ['forms', 'New form deflector'],
    ['mcp', 'New MCP server'],
    ['bots', 'Connect a bot'],
    ['helpdesks', 'Add a help desk'],
    ['agent-apps', 'Add an agent app'],
    ['widgets', 'New widget'],
    ['groups', 'New source group'],
  ] as const) {
    await openRoom(room, old.id)
    const blocked = page.getByRole('button', { name: label })
    await expect.poll(async () => await blocked.getAttribute('title'), SOON).toContain('archived')
  }
})

test('every screen of Reach is free of accessibility faults and fits, in light and dark, wide and narrow', async () => {
  const [form] = await list<{ id: string }>('form-deflectors')
  const [run] = await list<{ id: string }>('simulations')
  await make(`/knowledge-bases/${base.id}/bots`, { name: 'Community', platform: 'discord' })
  await make(`/knowledge-bases/${base.id}/source-groups`, { name: 'Version 1' })
  const rooms = [
    ['groups', 'widgets', `widgets/${base.widget.id}`, 'mcp', 'forms', `forms/${form?.id}`, 'bots'],
    ['helpdesks', 'agent-apps', 'approvals', 'approvals?show=rejected', 'simulations'],
    [`simulations/${run?.id}`],
  ].flat()
  const screens = rooms.map((room) => `/kb/${base.id}/${room}`)
  expect(await faultsOfScreens(page, screens, dashboard.open)).toEqual({})
  // A refusal that a test above provokes is told on the console by the browser itself.
  expect(dashboard.complaints.filter((said) => !said.startsWith('Failed to load resource'))).toEqual([])
}, 300_000)
