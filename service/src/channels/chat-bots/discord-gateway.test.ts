import { setTimeout as sleep } from 'node:timers/promises'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { startDiscordStandIn, type DiscordStandIn } from '../../../test/platforms/discord-stand-in.ts'
import { QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let discord: DiscordStandIn

beforeAll(async () => {
  world = await openBotWorld()
  discord = await startDiscordStandIn()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
})

const connect = async () => {
  const config = { api_url: discord.apiUrl, answer_mentions: 'true' }
  const { bot_token } = discord.credentials
  return await world.connect({ platform: 'discord', config, credentials: { bot_token } })
}

const switchOff = async (bot: string) => {
  await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
  await eventually(discord.gateway.connections, (open) => open === 0)
}

const greeted = (count: number) =>
  eventually(
    () => discord.gateway.greetings,
    ({ length }) => length === count,
  )

const repliesIn = (channel: string) =>
  (discord.inChannels.get(channel) ?? []).map(({ message_reference: to, embeds, allowed_mentions }) => ({
    to: to?.message_id,
    text: embeds[0]?.description,
    allowed_mentions,
  }))

verifies(
  ['bots.discord.mentions', 'hooks.once'],
  'a mention is answered in its place once, although the connection breaks off before the answer and what was missed is told again',
  async () => {
    const { gateway } = discord
    const bot = await connect()
    expect(await world.check(bot)).toMatchObject({ is_working: true, problems: [] })
    expect(await world.setup(bot)).toMatchObject({ hook_url: expect.stringContaining(bot) as unknown })
    // GUILD_MESSAGES, and no privileged intent.
    expect(await greeted(1)).toEqual([{ op: 2, path: '/', intents: 512, seq: undefined }])
    const named = `<@${gateway.botId}>`
    const heard = gateway.write({ content: `${named} ${QUESTION}` })
    gateway.dispatch('MESSAGE_CREATE', heard)
    gateway.losesEvents = true
    const missed = gateway.write({ channel_id: '88', position: 3, content: `${QUESTION} ${named}` })
    gateway.drop()
    gateway.losesEvents = false
    await greeted(2)
    expect(gateway.greetings[1]).toMatchObject({ op: 6, path: '/again' })

    // What no gateway sends does no harm.
    gateway.sendRaw('{')
    gateway.sendRaw('[]')
    for (const t of ['MESSAGE_CREATE', 'INTERACTION_CREATE', 'RESUMED'])
      gateway.sendRaw(JSON.stringify({ op: 0, t, s: null, d: { id: 5, token: [], mentions: '' } }))
    const words = `${named} ${QUESTION}`
    gateway.write({ content: words, author: { id: '6', username: 'other', bot: true } })
    gateway.write({ content: words, webhook_id: '9' })
    gateway.write({ content: words, type: 6 })
    gateway.write({ content: QUESTION, mentions: [], mention_everyone: true })
    gateway.write({ content: QUESTION, mentions: [], mention_roles: ['44'] })
    gateway.dispatch('MESSAGE_UPDATE', { ...heard, content: `${words} Edited.` })
    // The first message of a forum's post: events come in their order, so what was written before it was read.
    const post = gateway.write({ id: '99', channel_id: '99', content: words })
    await eventually(
      () => discord.inChannels.get('99')?.length ?? 0,
      (count) => count === 1,
    )
    await world.settled(bot)
    const answer = { text: expect.stringContaining(ROTATION) as unknown, allowed_mentions: { parse: [] } }
    expect([...discord.inChannels.keys()].toSorted()).toEqual(['77', '88', '99'])
    expect(repliesIn('77')).toEqual([{ to: heard.id, ...answer }])
    expect(repliesIn('88')).toEqual([{ to: missed.id, ...answer }])
    expect(repliesIn('99')).toEqual([{ to: post.id, ...answer }])

    world.llm.requests.length = 0
    discord.misbehave({ status: 204 }, { status: 429, headers: { 'retry-after': '0.6' } })
    gateway.write({ channel_id: '99', position: 1, content: `${named} And how long do old ones stay valid?` })
    await eventually(
      () => discord.inChannels.get('99')?.length ?? 0,
      (count) => count === 2,
    )
    // In a thread the questions before are the context.
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)

    // Without an Interactions Endpoint URL presses and commands come the same way.
    const press = { id: '901', application_id: gateway.botId, type: 3, token: 'pressed', guild_id: '1' }
    const [rating] = discord.inChannels.get('88')?.[0]?.components ?? []
    gateway.interact({ ...press, data: { custom_id: rating?.components[0]?.custom_id, component_type: 2 } })
    const options = [{ name: 'question', type: 3, value: QUESTION }]
    gateway.interact({ ...press, id: '902', type: 2, token: 'asked', data: { name: 'ask', options } })
    const shown = await eventually(
      () => discord.shown.get('asked') ?? [],
      ({ length }) => length === 1,
    )
    expect(shown[0]?.embeds[0]?.description).toContain(ROTATION)
    await world.settled(bot)
    expect(await world.citewell.rows(`select vote from feedback where source = 'bot'`)).toEqual([
      { vote: 'up' },
    ])
    expect([...gateway.awaited]).toEqual([])
    await switchOff(bot)
    gateway.write({ content: words })
    expect(gateway.greetings).toHaveLength(2)
  },
)

test('a bot that was not asked to answer mentions is not listened for: it needs the key for what Discord sends', async () => {
  const { bot_token } = discord.credentials
  const bot = await world.connect({
    platform: 'discord',
    config: { api_url: discord.apiUrl },
    credentials: { bot_token },
  })
  expect(await world.check(bot)).toMatchObject({
    is_working: false,
    problems: expect.arrayContaining([expect.stringContaining('The credential public_key is missing')]),
  })
  await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
})

verifies(
  'bots.discord.gateway',
  'a session is continued after each interruption, or begins again where it cannot be; what Discord refuses for good is not tried again until somebody checks it',
  async () => {
    const { gateway } = discord
    gateway.greetings.length = 0
    gateway.heartbeatMs = 500
    const bot = await connect()
    await world.check(bot)
    await greeted(1)
    gateway.say(1)
    gateway.isDeaf = true
    await eventually(gateway.connections, (open) => open === 0)
    gateway.isDeaf = false
    gateway.heartbeatMs = 41_250
    await greeted(2)
    // However often, and although nothing is said in between.
    for (const next of [3, 4, 5]) {
      gateway.say(7)
      await eventually(gateway.connections, (open) => open === 0)
      // Ends the pause, which grows with each interruption.
      await world.check(bot)
      await greeted(next)
    }
    gateway.say(9, false)
    await eventually(gateway.connections, (open) => open === 0)
    await world.check(bot)
    await greeted(6)
    expect(gateway.greetings.map(({ op }) => op)).toEqual([2, 6, 6, 6, 6, 2])
    expect(await world.problemOf(bot)).toBeNull()

    // The bots of one token hear the same: the first one is enough.
    const second = await connect()
    await world.check(second)
    expect(
      await eventually(
        () => world.problemOf(second),
        (found) => found !== null,
      ),
    ).toContain('same token')
    expect(gateway.connections()).toBe(1)
    await world.citewell.json('PATCH', `/api/v1/bots/${second}`, { enabled: false })
    await switchOff(bot)

    gateway.greetings.length = 0
    gateway.refusesWith = 4014
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: true })
    await world.check(bot)
    const refused = await eventually(
      () => world.problemOf(bot),
      (found) => found !== null,
    )
    expect(refused).toContain('4014')
    expect(refused).toContain('Privileged Gateway Intents')
    // The next attempt after another failure would come within 1.25 seconds.
    await sleep(1_500)
    expect(gateway.greetings).toHaveLength(1)
    gateway.refusesWith = undefined
    gateway.startsRemaining = 10
    await world.check(bot)
    const limited = await eventually(
      () => world.problemOf(bot),
      (found) => found !== refused,
    )
    expect(limited).toContain('again in 120 minutes')
    expect(gateway.greetings).toHaveLength(1)
    gateway.startsRemaining = 11
    await world.check(bot)
    expect(
      await eventually(
        () => world.problemOf(bot),
        (found) => found === null,
      ),
    ).toBeNull()
    expect(gateway.greetings).toHaveLength(2)
  },
  { tags: ['long'] },
)
