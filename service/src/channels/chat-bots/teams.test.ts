import { generateKeyPairSync } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  startTeamsStandIn,
  teamsFeedback,
  teamsMention,
  teamsPersonal,
  type TeamsStandIn,
} from '../../../test/platforms/teams-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let teams: TeamsStandIn

beforeAll(async () => {
  world = await openBotWorld()
  teams = await startTeamsStandIn()
})
beforeEach(() => {
  teams.messages.length = 0
  teams.typing.length = 0
  teams.forget()
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await teams[Symbol.asyncDispose]()
})

const connect = (given: { base?: string; config?: object; credentials?: Record<string, string> } = {}) =>
  world.connect({
    platform: 'teams',
    credentials: teams.credentials,
    ...given,
    config: { api_url: teams.origin, ...given.config },
  })
const send = (bot: string, activity: object, headers = teams.proof()) => world.deliver(bot, activity, headers)
const waitFor = (count: number) =>
  eventually(
    () => teams.messages,
    ({ length }) => length >= count,
  )

verifies(
  ['bots.teams.answers', 'bots.rating'],
  'a mention in a channel is answered in its thread, with its citations as those of Teams; the feedback buttons rate it',
  async () => {
    const bot = await connect()
    const asked = teamsMention(teams, QUESTION)
    expect(await send(bot, asked)).toEqual({ status: 200, text: '{}' })
    const [answer] = await waitFor(1)
    expect(answer).toMatchObject({
      conversation: (asked['conversation'] as { id: string }).id,
      replyToId: asked['id'],
      text: `${ROTATION} [1]`,
      entities: [
        {
          additionalType: ['AIGeneratedContent'],
          citation: [
            {
              position: 1,
              appearance: {
                name: 'Rotating signing keys',
                url: expect.stringContaining('docs.example.com/keys'),
              },
            },
          ],
        },
      ],
    })
    expect(teams.typing).toEqual([answer?.conversation])
    await world.settled(bot)
    const votes = () =>
      world.citewell.rows(
        `select f.vote, f.source from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`,
      )
    if (answer === undefined) throw new Error('no answer')
    expect(await send(bot, teamsFeedback(teams, answer, 'like'))).toEqual({ status: 200, text: '{}' })
    await world.settled(bot)
    expect(await votes()).toEqual([{ vote: 'up', source: 'bot' }])
    await send(bot, teamsFeedback(teams, answer, 'dislike'))
    await send(bot, teamsFeedback(teams, { ...answer, id: 'another' }, 'like'))
    await world.settled(bot)
    expect(await votes()).toEqual([{ vote: 'down', source: 'bot' }])
  },
)

verifies(
  'bots.teams.threads',
  'a reply in a thread and a message in a chat with the bot alone know what was asked before; another thread and a later chat do not',
  async () => {
    const bot = await connect()
    const first = teamsMention(teams, QUESTION)
    await send(bot, first)
    await waitFor(1)
    await world.settled(bot)
    world.llm.requests.length = 0
    await send(bot, teamsMention(teams, 'And old ones?', { conversation: first['conversation'] }))
    await waitFor(2)
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
    await world.settled(bot)
    world.llm.requests.length = 0
    await send(bot, teamsMention(teams, 'How long do old signing keys stay valid?'))
    await waitFor(3)
    expect(JSON.stringify(world.llm.requests)).not.toContain(QUESTION)

    await send(bot, teamsPersonal(teams, QUESTION))
    await waitFor(4)
    await world.settled(bot)
    world.llm.requests.length = 0
    await send(bot, teamsPersonal(teams, 'And old ones?'))
    const messages = await waitFor(5)
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
    expect(messages.at(-1)?.conversation).toBe('a:1personal')
  },
)

verifies(
  ['bots.teams.ignores', 'hooks.once'],
  'edits, deletions, reactions, cards, its own messages and those that do not name it are no questions; repetitions are none, either',
  async () => {
    const bot = await connect()
    const asked = teamsMention(teams, QUESTION)
    const ignored = [
      {
        ...teamsMention(teams, QUESTION),
        type: 'messageUpdate',
        channelData: { ...Object(asked['channelData']), eventType: 'editMessage' },
      },
      { ...teamsMention(teams, QUESTION), type: 'messageDelete' },
      { ...teamsMention(teams, QUESTION), type: 'messageReaction', reactionsAdded: [{ type: 'like' }] },
      { ...teamsMention(teams, QUESTION), type: 'conversationUpdate', membersAdded: [] },
      teamsMention(teams, QUESTION, { value: { actionId: 'x' } }),
      // Anybody can write the name; only Teams says who is meant.
      teamsMention(teams, QUESTION, { entities: [] }),
      teamsMention(teams, QUESTION, { from: asked['recipient'] }),
      teamsMention(teams, QUESTION, { conversation: { tenantId: teams.credentials.tenant_id } }),
    ]
    for (const activity of ignored) expect((await send(bot, activity)).status).toBe(200)
    const statuses = await Promise.all([send(bot, asked), send(bot, asked), send(bot, asked)])
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200])
    await waitFor(1)
    await send(bot, asked)
    await world.settled(bot)
    expect(teams.messages).toHaveLength(1)
    expect(
      await world.citewell.rows(`select 1 from platform_events where integration_id = '${bot}'`),
    ).toHaveLength(1)
  },
)

verifies(
  'bots.teams.proof',
  'only a token of the Bot Framework for this bot, valid now, with a key that may sign for Teams, opens the hook: and only for the address and the tenant that it names',
  async () => {
    const bot = await connect()
    teams.addKey('of another channel', ['webchat'])
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    const asked = teamsMention(teams, QUESTION)
    const [head = '', body = ''] = teams.proof()['authorization']?.split('.') ?? []
    const refused: Record<string, Record<string, string>> = {
      'an old token': teams.proof({ at: hours(-1.2) }),
      'a token of the future': teams.proof({ at: hours(0.2) }),
      'another issuer': teams.proof({ claims: { iss: 'https://sts.windows.net/x/' } }),
      'another bot': teams.proof({ appId: '99999999-2222-4333-8444-555555555555' }),
      'another key': teams.proof({ privateKey }),
      'a key that is not published': teams.proof({ kid: 'unknown', privateKey }),
      'a key of another channel': teams.proof({ kid: 'of another channel' }),
      'no algorithm': teams.proof({ header: { alg: 'none' } }),
      'another algorithm': teams.proof({ header: { alg: 'HS256' } }),
      'no service URL': teams.proof({ claims: { serviceurl: undefined } }),
      'another service URL': teams.proof({ claims: { serviceurl: 'https://evil.example/' } }),
      'no signature': { authorization: `${head}.${body}.` },
      'no token': { authorization: 'Bearer ' },
    }
    for (const [what, headers] of Object.entries(refused))
      expect([what, (await send(bot, asked, headers)).status]).toEqual([what, 401])
    const evil = 'http://127.0.0.1:1/amer/'
    const elsewhere = { ...asked, serviceUrl: evil }
    expect((await send(bot, elsewhere)).status).toBe(401)
    // Even if Microsoft said so: this bot belongs to another cloud.
    expect((await send(bot, elsewhere, teams.proof({ claims: { serviceurl: evil } }))).status).toBe(401)
    const tenants = [
      { conversation: { ...Object(asked['conversation']), tenantId: 'another' } },
      { channelData: { tenant: { id: 'another' } } },
      { channelId: 'webchat' },
    ]
    for (const fields of tenants) expect((await send(bot, { ...asked, ...fields })).status).toBe(401)
    expect(teams.requests.filter(({ path }) => path.endsWith('/token'))).toEqual([])
    const reads = teams.requests.filter(({ path }) => path.endsWith('/keys'))
    expect(reads.length).toBeLessThan(3)
    expect((await send(bot, asked)).status).toBe(200)
    await waitFor(1)
  },
)

test('keys that somebody else publishes prove nothing', async () => {
  await using other = await startTeamsStandIn()
  other.issuer = 'https://sts.windows.net/x/'
  const bot = await world.connect({
    platform: 'teams',
    credentials: other.credentials,
    config: { api_url: other.origin },
  })
  const asked = teamsMention(other, QUESTION)
  expect((await send(bot, asked, other.proof())).status).toBe(401)
  expect(other.requests.filter(({ path }) => path.endsWith('/keys'))).toEqual([])
})

verifies(
  ['bots.limits', 'bots.problem', 'hooks.crashes'],
  'a bot of Teams waits as long as it is told to, renews a revoked token, does not repeat what may have arrived, and says what is wrong',
  async () => {
    const bot = await connect()
    const ask = async (fields: object = {}) => {
      expect((await send(bot, teamsMention(teams, QUESTION, { ...fields }))).status).toBe(200)
      await world.settled(bot)
      return await world.problemOf(bot)
    }
    expect(await ask()).toBeNull()
    // Its token is valid for another hour, but not for Teams.
    teams.tokens.clear()
    expect(await ask()).toBeNull()
    expect(teams.messages).toHaveLength(2)

    teams.onRequest = ({ body }) => {
      if (JSON.stringify(body).includes('"message"')) {
        teams.onRequest = undefined
        teams.misbehave({ status: 429, headers: { 'retry-after': '1' }, body: {} })
      }
    }
    expect(await ask()).toBeNull()
    expect(teams.messages).toHaveLength(3)

    teams.losesAnswer = true
    expect(await ask()).toContain('may or may not have been posted')
    expect(teams.messages).toHaveLength(4)
    teams.gone.add('a:gone')
    expect(
      await ask({
        conversation: { conversationType: 'personal', tenantId: teams.credentials.tenant_id, id: 'a:gone' },
      }),
    ).toContain('Was it removed there?')
    expect(await ask()).toBeNull()

    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, {
      credentials: { ...teams.credentials, client_secret: 'withdrawn' },
    })
    expect(await ask()).toContain('make a new client secret')
    expect(await world.check(bot)).toMatchObject({
      is_working: false,
      account: null,
      problems: [expect.stringContaining('invalid_client')],
    })
  },
  { tags: ['long'] },
)

verifies(
  ['bots.check', 'bots.teams.answers'],
  'the set-up of a bot of Teams has its manifest and says what is missing; a question that is not covered gets a sentence without feedback',
  async () => {
    const bot = await connect()
    expect(await world.check(bot)).toMatchObject({
      is_working: true,
      account: `application ${teams.credentials.app_id} of tenant ${teams.credentials.tenant_id}`,
      problems: [],
    })
    const setup = await world.setup(bot)
    expect(setup).toMatchObject({
      hook_url: `${world.citewell.address}/api/v1/hooks/${bot}`,
      credentials: [
        { name: 'app_id', is_set: true },
        { name: 'tenant_id', is_set: true },
        { name: 'client_secret', is_set: true },
      ],
      manifest: {
        manifestVersion: '1.17',
        id: teams.credentials.app_id,
        bots: [{ botId: teams.credentials.app_id, scopes: ['personal', 'team', 'groupChat'] }],
      },
    })
    expect(JSON.stringify(setup)).not.toContain(teams.credentials.client_secret)
    const bare = await connect({ credentials: { app_id: 'x' }, config: { api_url: 'http://teams.example' } })
    expect(await world.check(bare)).toMatchObject({
      is_working: false,
      problems: [
        expect.stringContaining('tenant_id is missing'),
        expect.stringContaining('client_secret is missing'),
        expect.stringContaining('api_url'),
      ],
    })
    await send(bot, teamsMention(teams, OFF_TOPIC))
    const [answer] = await waitFor(1)
    expect(answer?.text).toContain('says nothing of cakes')
    await send(bot, teamsMention(teams, ''))
    const [, hint] = await waitFor(2)
    expect(hint).toMatchObject({ text: expect.stringContaining('Ask me a question') })
    expect(hint).not.toHaveProperty('channelData')
    expect(hint).not.toHaveProperty('entities')
  },
)
