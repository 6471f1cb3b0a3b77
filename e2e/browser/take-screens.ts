/**
 * Takes a picture of every screen of the dashboard, wide and narrow, light and dark, to be looked at: `npm run screens -- FOLDER [SITE...]`.
 * The knowledge base has Citewell's own guide and the given sites, and something on every screen.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER_TOKEN, until } from '../run-citewell.ts'
import { endStreams } from './end-streams.ts'
import { openSignedInDashboard, type SignedInDashboard } from './signed-in-dashboard.ts'

const [folder, ...sites] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder for the pictures.')

const QUESTIONS = [
  'How do I make a backup?',
  'How do I put the widget on my site?',
  'Which languages are supported?',
  'How do I read a site again every day?',
  'Is there a plugin for WordPress?',
  'Do you have a WordPress plugin?',
  'wordpress plugin',
]

/** A phone's screen is long; what is further down is rarely different. */
const MOST_PIXELS = 3_000

interface Made {
  id: string
}

interface Listed {
  data: { id: string; last_sync?: { finished_at: string | null } | null }[]
}

/** One knowledge base in which there is something on every screen. */
async function fill({ citewell, workspaceId }: SignedInDashboard): Promise<string> {
  const { id: base } = await citewell.json<Made>('POST', '/api/v1/knowledge-bases', {
    name: 'Citewell',
    sample: true,
  })
  const of = `/api/v1/knowledge-bases/${base}`
  const make = async (what: string, body: object) => await citewell.json<Made>('POST', `${of}/${what}`, body)
  for (const site of sites) {
    const { id } = await make('sources', {
      type: 'website',
      name: new URL(site).host,
      version_label: '2.2',
      config: { start_urls: [site] },
    })
    await citewell.json('POST', `/api/v1/sources/${id}/sync`)
  }
  await until(
    async () => await citewell.json<Listed>('GET', `${of}/sources`),
    ({ data }) => data.every(({ last_sync: last }) => typeof last?.finished_at === 'string'),
    600,
  )
  const messages: string[] = []
  for (const query of QUESTIONS) {
    const response = await fetch(new URL(`${of}/chat`, citewell.address), {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)]
    messages.push((JSON.parse(frames.at(-1)?.[1] ?? '{}') as { message_id: string }).message_id)
  }
  await citewell.json('PUT', `/api/v1/messages/${messages[0]}/rating`, {
    vote: 'up',
    comment: 'Just what I needed',
  })
  await citewell.json('PUT', `/api/v1/messages/${messages[4]}/rating`, {
    vote: 'down',
    comment: 'It says nothing about WordPress, which half of our sites use.',
  })
  await make('custom-answers', {
    question: 'Who do I ask when nothing helps?',
    answer: 'Write to **help@example.com**.',
  })
  await make('mcp-servers', { server_name: 'citewell-guide', sign_in_type: 'api_key' })
  await make('form-deflectors', { name: 'Contact form' })
  await make('bots', { name: 'Help', platform: 'slack', config: {}, credentials: {} }).catch(() => undefined)
  await make('helpdesk-integrations', { name: 'Support', platform: 'other' }).catch(() => undefined)
  const agent = await make('agent-apps', { name: 'Refunds' })
  await make('approvals', {
    agent_id: agent.id,
    title: 'Reply to ticket 1042',
    content: 'Your refund is on its way.',
  })
  await make('source-groups', { name: 'Version 2' }).catch(() => undefined)
  await make('evaluation-questions', { question: QUESTIONS[0], answerable: true, urls: [] }).catch(
    () => undefined,
  )
  await make('evaluations', {}).catch(() => undefined)
  await make('simulations', {
    name: 'October',
    tickets: QUESTIONS.map((body, at) => ({ ref: `${at}`, body })),
  }).catch(() => undefined)
  await citewell.json('POST', `/api/v1/workspaces/${workspaceId}/members`, {
    email: 'grace.hopper.of.the.documentation.team@example.com',
    name: 'Grace Hopper',
  })
  return base
}

async function firstId({ citewell }: SignedInDashboard, base: string, of: string): Promise<string> {
  const { data } = await citewell.json<Listed>('GET', `/api/v1/knowledge-bases/${base}/${of}`)
  return data[0]?.id ?? 'none'
}

async function screensOf(at: SignedInDashboard, base: string): Promise<[name: string, path: string][]> {
  const id = async (of: string) => await firstId(at, base, of)
  const [conversation, source, gap] = [
    await id('conversations'),
    await id('sources'),
    await id('knowledge-gaps'),
  ]
  const { messages } = await at.citewell.json<{ messages: Made[] }>(
    'GET',
    `/api/v1/conversations/${conversation}`,
  )
  const ofBase = [
    ['overview', ''],
    ['playground', '/ask'],
    ['sources', '/sources'],
    ['source', `/sources/${source}`],
    ['new-source', '/sources/new'],
    ['groups', '/groups'],
    ['documents', '/documents'],
    ['document', `/documents/${await id('documents')}`],
    ['answers', '/answers'],
    ['analytics', '/analytics'],
    ['gaps', '/gaps'],
    ['gap', `/gaps/${gap}`],
    ['conversations', '/conversations'],
    ['conversation', `/conversations/${conversation}`],
    ['traces', '/traces'],
    ['reports', '/traces?tab=reports'],
    ['trace', `/traces/${messages[0]?.id}`],
    ['feedback', '/feedback'],
    ['evaluation', '/evaluation'],
    ['evaluation-questions', '/evaluation?tab=questions'],
    ['evaluation-run', `/evaluation/${await id('evaluations')}`],
    ['widgets', '/widgets'],
    ['widget', `/widgets/${await id('widgets')}`],
    ['keys', '/keys'],
    ['mcp', '/mcp'],
    ['forms', '/forms'],
    ['form', `/forms/${await id('form-deflectors')}`],
    ['bots', '/bots'],
    ['helpdesks', '/helpdesks'],
    ['agent-apps', '/agent-apps'],
    ['approvals', '/approvals'],
    ['simulations', '/simulations'],
    ['simulation', `/simulations/${await id('simulations')}`],
    ['settings', '/settings'],
    ['settings-answers', '/settings/answers'],
    ['settings-privacy', '/settings/privacy'],
    ['settings-access', '/settings/access'],
    ['settings-danger', '/settings/danger'],
  ] as const
  const workspace = `/w/${at.workspaceId}`
  return [
    ['start', '/start'],
    ['ask', '/ask'],
    ['bases', workspace],
    ['members', `${workspace}/members`],
    ['activity', `${workspace}/activity`],
    ['plan', `${workspace}/plan`],
    ['workspace-settings', `${workspace}/settings`],
    ['me', '/me'],
    ['instance', '/instance'],
    ['not-there', '/kb/no-such-base'],
    ...ofBase.map(([name, path]): [string, string] => [name, `/kb/${base}${path}`]),
  ]
}

mkdirSync(folder, { recursive: true })
await using at = await openSignedInDashboard({ CITEWELL_RATE_LIMITS: 'off' })
const base = await fill(at).catch((fault: unknown) => {
  console.error(at.citewell.log())
  throw fault
})
const { page } = at
await endStreams(page)
for (const [name, path] of await screensOf(at, base)) {
  await at.open(path)
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor()
  await page.waitForLoadState('networkidle')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wider > 0) console.error(`${name}: ${wider} pixels too wide at ${width}`)
    await page.setViewportSize({ width, height: Math.min(Math.max(height, 800), MOST_PIXELS) })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const path = join(folder, `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
console.error(`complaints: ${JSON.stringify(at.complaints)}`)
