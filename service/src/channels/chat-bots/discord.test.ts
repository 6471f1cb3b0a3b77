import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDiscordStandIn, type DiscordStandIn } from '../../../test/platforms/discord-stand-in.ts'
import { signAsDiscord } from '../../../test/platforms/platform-proofs.ts'
import {
  answersFromPage,
  OFF_TOPIC,
  QUESTION,
  ROTATION,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../test/webhook-world.ts'

let world: WebhookWorld
let discord: DiscordStandIn
let baseId: string
let interactions = 0

beforeAll(async () => {
  world = await startWebhookWorld()
  discord = await startDiscordStandIn()
  baseId = (await world.makeBase()).id
})
beforeEach(() => {
  discord.reset()
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
})

const connect = async (config: object = {}) =>
  (
    await world.citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/bots`, {
      name: 'Docs',
      platform: 'discord',
      config: { api_url: discord.apiUrl, ...config },
      credentials: discord.credentials,
    })
  ).id

async function deliver(botId: string, interaction: object): Promise<{ status: number; body: unknown }> {
  const body = JSON.stringify(interaction)
  const response = await world.citewell.fetch(`/api/v1/hooks/${botId}`, {
    method: 'POST',
    headers: signAsDiscord(body, 'stand-in', new Date()),
    body,
  })
  return { status: response.status, body: await response.json() }
}

function ask(question: string, fields: object = {}) {
  interactions += 1
  const token = `token-${interactions}`
  discord.expect(token)
  return {
    id: String(90_000 + interactions),
    application_id: discord.applicationId,
    type: 2,
    token,
    version: 1,
    guild_id: '1',
    channel: { id: '77', type: 0 },
    member: { user: { id: '5', username: 'ada' } },
    data: { id: '8', name: 'ask', type: 1, options: [{ name: 'question', type: 3, value: question }] },
    ...fields,
  }
}

const click = (customId: string) => ({
  ...ask(''),
  type: 3,
  data: { custom_id: customId, component_type: 2 },
})

/** Waits until nothing of a bot is open. */
async function settled(botId: string): Promise<void> {
  const open = `select 1 from platform_events where integration_id = '${botId}' and status in ('received', 'handling')
    union all select 1 from platform_posts where integration_id = '${botId}' and status in ('pending', 'sending')`
  const end = Date.now() + 25_000
  while ((await world.citewell.rows(open)).length > 0) {
    if (Date.now() > end) throw new Error(`Something stays open: ${JSON.stringify(discord.calls)}`)
    await new Promise((wake) => {
      setTimeout(wake, 30)
    })
  }
}

const statusesOf = async (botId: string) =>
  (
    await world.citewell.rows(
      `select status from platform_posts where integration_id = '${botId}' order by seq`,
    )
  ).map(({ status }) => status)

verifies(
  ['bots.discord.ask', 'bots.rating', 'hooks.once'],
  '/ask is acknowledged, answered once in its own message with links and buttons, and rated by them',
  async () => {
    const bot = await connect()
    expect(await deliver(bot, { ...ask(''), type: 1, data: undefined })).toEqual({
      status: 200,
      body: { type: 1 },
    })
    const question = ask(QUESTION)
    const first = await deliver(bot, question)
    const again = await deliver(bot, question)
    expect([first, again]).toEqual([
      { status: 200, body: { type: 5 } },
      { status: 200, body: { type: 5 } },
    ])
    await settled(bot)
    const messages = discord.shown.get(question.token)
    expect(messages).toHaveLength(1)
    const [message] = messages ?? []
    const text = message?.embeds[0]?.description ?? ''
    expect(text).toContain(`${ROTATION} ([1](https://docs.example.com/keys`)
    expect(text).toContain('**Sources**\n1\\. [Rotating signing keys](https://docs.example.com/keys')
    expect(message?.allowed_mentions).toEqual({ parse: [] })
    const [up, down] = message?.components[0]?.components ?? []
    const messageId = up?.custom_id.split(':')[2]
    expect(await deliver(bot, click(up?.custom_id ?? ''))).toMatchObject({
      body: { type: 4, data: { flags: 64 } },
    })
    await deliver(bot, click(down?.custom_id ?? ''))
    await settled(bot)
    expect(
      await world.citewell.rows(`select vote, source from feedback where message_id = '${messageId}'`),
    ).toEqual([{ vote: 'down', source: 'bot' }])
    expect(await deliver(bot, click('rate:up:of-someone-else'))).toMatchObject({ body: { type: 4 } })
  },
)

test('questions in a thread have their predecessors as context, others have none', async () => {
  const bot = await connect()
  const inThread = { channel: { id: '4711', type: 11 } }
  await deliver(bot, ask(QUESTION, inThread))
  await settled(bot)
  world.llm.requests.length = 0
  await deliver(bot, ask('And how long do old signing keys stay valid?', inThread))
  await settled(bot)
  expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
  world.llm.requests.length = 0
  await deliver(bot, ask('How long do old signing keys stay valid?'))
  await settled(bot)
  expect(JSON.stringify(world.llm.requests)).not.toContain(QUESTION)
})

verifies('bots.uncovered', 'a bot that is set to be silent takes its sign of writing away', async () => {
  const bot = await connect({ answer_only_when_covered: true })
  const question = ask(OFF_TOPIC)
  discord.shown.set(question.token, [])
  await deliver(bot, question)
  await settled(bot)
  expect(discord.calls.map(({ method, status }) => [method, status])).toEqual([['DELETE', 204]])
  expect(discord.shown.get(question.token)).toEqual([])
})

verifies(
  'bots.switched-off',
  'a bot that is switched off says so to who asks, and to nobody else',
  async () => {
    const bot = await connect()
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
    expect(await deliver(bot, ask(QUESTION))).toMatchObject({ body: { type: 4, data: { flags: 64 } } })
    expect(discord.calls).toEqual([])
  },
)

verifies(
  ['bots.limits', 'hooks.crashes'],
  'an edit is repeated after limits, errors and lost answers, because it is the same edit; an expired question is a problem',
  async () => {
    const bot = await connect()
    const question = ask(QUESTION)
    discord.misbehave({ status: 429, headers: { 'retry-after': '0.6' } }, { status: 502 }, 'hangs-up')
    await deliver(bot, question)
    await settled(bot)
    expect(discord.calls.map(({ status }) => status)).toEqual([429, 502, 200, 200])
    expect(discord.shown.get(question.token)).toHaveLength(1)
    expect(await statusesOf(bot)).toEqual(['posted'])
    await deliver(bot, { ...ask(QUESTION), token: 'expired' })
    await settled(bot)
    expect(await statusesOf(bot)).toEqual(['posted', 'failed'])
    const { problem } = await world.citewell.json<{ problem: { because: string } }>(
      'GET',
      `/api/v1/bots/${bot}`,
    )
    expect(problem.because).toContain('15 minutes')
    discord.misbehave({ status: 400 })
    await deliver(bot, ask(QUESTION))
    await settled(bot)
    expect(await statusesOf(bot)).toEqual(['posted', 'failed', 'failed'])
    expect(await world.citewell.json('GET', `/api/v1/bots/${bot}`)).toMatchObject({
      problem: { because: 'Discord refused an answer (HTTP 400).' },
    })
  },
  { tags: ['long'] },
)

verifies(
  'bots.check',
  'a check compares key and address with the Developer Portal, and registers /ask once',
  async () => {
    const bot = await connect()
    const check = () => world.citewell.json<Record<string, unknown>>('POST', `/api/v1/bots/${bot}/check`)
    expect(await check()).toMatchObject({
      is_working: false,
      account: 'Docs',
      problems: [expect.stringContaining('Interactions Endpoint URL')],
    })
    discord.endpointUrl = `${world.citewell.address}/api/v1/hooks/${bot}`
    expect(await check()).toMatchObject({ is_working: true, problems: [] })
    expect(discord.commands).toMatchObject([{ name: 'ask' }])
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, {
      credentials: { bot_token: 'wrong', public_key: 'x' },
    })
    expect(await check()).toMatchObject({
      account: null,
      problems: [
        expect.stringContaining('public_key'),
        expect.stringContaining('does not accept the bot token'),
      ],
    })
  },
)

verifies(
  'bots.check',
  'a check says that everybody may add the application to a server, where its base is internal and as long as it is so',
  async () => {
    const bot = await connect()
    discord.endpointUrl = `${world.citewell.address}/api/v1/hooks/${bot}`
    const check = () => world.citewell.json<object>('POST', `/api/v1/bots/${bot}/check`)
    expect(await check()).toMatchObject({ is_working: true, problems: [] })
    await world.citewell.json('PATCH', `/api/v1/knowledge-bases/${baseId}`, { type: 'internal' })
    expect(await check()).toMatchObject({
      is_working: false,
      problems: [expect.stringContaining('switch Public Bot off')],
    })
    discord.isPublic = false
    expect(await check()).toMatchObject({ is_working: true, problems: [] })
  },
)
