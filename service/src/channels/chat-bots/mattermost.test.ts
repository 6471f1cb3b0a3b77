import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  mattermostId,
  mattermostPosted,
  mattermostReaction,
  startMattermostStandIn,
  type MattermostStandIn,
} from '../../../test/platforms/mattermost-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let mattermost: MattermostStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  mattermost = await startMattermostStandIn()
  bot = await world.connect({
    platform: 'mattermost',
    config: { api_url: mattermost.origin },
    credentials: mattermost.credentials,
  })
  await heard()
})
beforeEach(() => {
  mattermost.messages.length = 0
  mattermost.forget()
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await mattermost[Symbol.asyncDispose]()
})

/** Ends as soon as the bot listens. */
async function heard(): Promise<void> {
  await world.check(bot)
  await eventually(mattermost.connections, (open) => open === 1)
}
const waitFor = (count: number) =>
  eventually(
    () => mattermost.messages,
    ({ length }) => length >= count,
  )
const eventsOf = (id: string) =>
  world.citewell.rows(`select status from platform_events where integration_id = '${id}'`)
/** The mark that tells that everything before it was read: a question that is answered. */
async function marked(): Promise<void> {
  const before = mattermost.messages.length
  mattermost.tell(mattermostPosted(`@docs ${QUESTION}`))
  await waitFor(before + 1)
  await world.settled(bot)
}

verifies(
  ['bots.mattermost.answers', 'bots.rating'],
  'a mention is heard over a connection of our own and answered in its thread with links; the reactions that the bot offers rate it',
  async () => {
    const asked = mattermostPosted(`@docs: ${QUESTION}`)
    mattermost.tell(asked)
    await waitFor(1)
    await world.settled(bot)
    const [answer] = mattermost.messages
    expect(answer).toMatchObject({
      channel_id: mattermostId('help'),
      root_id: asked.id,
      offered: ['+1', '-1'],
      message: expect.stringContaining(`${ROTATION} ([1](https://docs.example.com/keys`),
    })
    expect(answer?.message).toContain(
      '**Sources**\n1\\. [Rotating signing keys](https://docs.example.com/keys',
    )
    expect(mattermost.typing).toContain(mattermostId('help'))
    const votes = () =>
      world.citewell.rows(
        `select f.vote, f.source from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`,
      )
    const id = answer?.id ?? ''
    // Its own are an offer.
    mattermost.tell(mattermostReaction(id, '+1', 'bot'))
    mattermost.tell(mattermostReaction(id, 'tada'))
    mattermost.tell(mattermostReaction(id, 'thumbsup'))
    await eventually(votes, ({ length }) => length === 1)
    expect(await votes()).toEqual([{ vote: 'up', source: 'bot' }])
    mattermost.tell(mattermostReaction(id, '-1', 'bob'))
    await eventually(votes, ([one]) => one?.['vote'] === 'down')
    mattermost.tell(mattermostReaction(mattermostId('no answer'), '+1'))
    await marked()
    expect(await votes()).toHaveLength(1)
  },
)

verifies(
  ['bots.mattermost.threads', 'hooks.once'],
  'a second question of a thread knows the first, direct messages need no name, and what comes twice is answered once',
  async () => {
    const asked = mattermostPosted(QUESTION, { channel: 'direct', type: 'D' })
    mattermost.tell(asked)
    await waitFor(1)
    await world.settled(bot)
    world.llm.requests.length = 0
    const next = mattermostPosted('And old ones?', {
      channel: 'direct',
      type: 'D',
      fields: { root_id: asked.id },
    })
    mattermost.tell(next)
    mattermost.tell(next)
    mattermost.tell(asked)
    const messages = await waitFor(2)
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
    await world.settled(bot)
    expect(messages.map(({ root_id }) => root_id)).toEqual([asked.id, asked.id])
  },
)

verifies(
  'bots.mattermost.ignores',
  'edits, deletions, its own messages, those of programs and the system, and those that do not name it are no questions',
  async () => {
    const words = `@docs ${QUESTION}`
    const before = await eventsOf(bot)
    for (const event of [
      mattermostPosted(words, { event: 'post_edited' }),
      mattermostPosted(words, { event: 'post_deleted' }),
      mattermostPosted(words, { fields: { user_id: mattermostId('bot') } }),
      mattermostPosted(words, { fields: { props: { from_bot: 'true' } } }),
      mattermostPosted(words, { fields: { props: { from_webhook: 'true' } } }),
      mattermostPosted(words, { fields: { props: { from_plugin: 'true' } } }),
      mattermostPosted(words, { fields: { props: { from_oauth_app: 'true' } } }),
      mattermostPosted(words, { fields: { type: 'system_join_channel' } }),
      mattermostPosted(QUESTION),
      mattermostPosted(words, { mentions: [mattermostId('bob')] }),
      mattermostPosted(QUESTION, { type: 'G' }),
      // A group message names all of its members, and so does @all, but not the bot.
      mattermostPosted(QUESTION, { type: 'G', mentions: [mattermostId('bot')] }),
      mattermostPosted('@all lunch?', { mentions: [mattermostId('bot')] }),
      mattermostPosted(QUESTION, { fields: { props: { from_bot: { toString: 1, valueOf: 1 } } } }),
      mattermostPosted(words, { fields: { channel_id: '../x' } }),
      { event: 'posted', data: { post: '{' } },
      { event: 'posted', data: {} },
      { event: 'reaction_added', data: { reaction: 'x' } },
    ])
      mattermost.tell(event)
    await marked()
    expect(mattermost.messages).toHaveLength(1)
    expect(await eventsOf(bot)).toHaveLength(before.length + 1)
  },
)

verifies(
  'bots.mattermost.connection',
  'a connection that is cut is opened again where it ended; a bot that is switched off hears nothing, and no hook of it opens',
  async () => {
    mattermost.cut()
    await eventually(mattermost.connections, (open) => open === 0)
    const missed = mattermostPosted(`@docs ${QUESTION}`)
    mattermost.tell(missed)
    const [answer] = await waitFor(1)
    expect(answer?.root_id).toBe(missed.id)
    await eventually(mattermost.connections, (open) => open === 1)

    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
    await world.check(bot)
    await eventually(mattermost.connections, (open) => open === 0)
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: true })
    await heard()
    expect((await world.deliver(bot, { surprise: true }, {})).status).toBe(401)
  },
  { tags: ['long'] },
)

verifies(
  ['bots.limits', 'bots.problem', 'hooks.crashes', 'bots.check'],
  'a bot of Mattermost waits as long as it is told to, does not repeat what may have arrived, and says what is wrong',
  async () => {
    const ask = async (channel?: string, before: (id: string) => void = () => undefined) => {
      const taken = (await eventsOf(bot)).length
      const asked = mattermostPosted(`@docs ${QUESTION}`, channel === undefined ? {} : { channel })
      before(asked.id)
      mattermost.tell(asked)
      await eventually(
        () => eventsOf(bot),
        ({ length }) => length > taken,
      )
      await world.settled(bot)
      return await world.problemOf(bot)
    }
    mattermost.onRequest = ({ path }) => {
      if (path !== '/api/v4/posts') return
      mattermost.onRequest = undefined
      mattermost.misbehave({ status: 429, headers: { 'retry-after': '1' }, body: {} })
    }
    expect(await ask()).toBeNull()
    expect(mattermost.messages).toHaveLength(1)
    mattermost.losesAnswer = true
    expect(await ask()).toContain('may or may not have been posted')
    expect(mattermost.messages).toHaveLength(2)
    expect(await ask('elsewhere')).toContain('/invite')
    expect(await ask(undefined, (id) => mattermost.deleted.add(id))).toContain('may have been deleted')
    expect(await ask()).toBeNull()

    mattermost.isRevoked = true
    mattermost.cut()
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem?.includes('does not accept the bot token') === true,
    )
    const hookUrl = `${world.citewell.address}/api/v1/hooks/${bot}`
    expect(await world.check(bot)).toMatchObject({ is_working: false, account: null, hook_url: hookUrl })
    mattermost.isRevoked = false
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem === null,
    )
    const { host } = new URL(mattermost.origin)
    expect(await world.check(bot)).toMatchObject({
      is_working: true,
      account: `@docs at ${host}`,
      problems: [],
    })
    const bare = await world.connect({ platform: 'mattermost' })
    expect(await world.check(bare)).toMatchObject({
      problems: [expect.stringContaining('api_url'), expect.stringContaining('bot_token is missing')],
    })
    expect(await world.setup(bot)).toMatchObject({
      hook_url: hookUrl,
      manifest: null,
      credentials: [
        { name: 'bot_token', is_set: true },
        { name: 'command_token', is_set: false },
      ],
    })
  },
  { tags: ['long'] },
)

verifies(
  'bots.uncovered',
  'nobody is notified by what a page or a model says, and a question that is not covered gets a sentence without an offer to rate',
  async () => {
    mattermost.tell(mattermostPosted(`@docs ${OFF_TOPIC}`))
    await waitFor(1)
    await world.settled(bot)
    expect(mattermost.messages[0]?.message).toContain('says nothing of cakes')
    mattermost.tell(mattermostPosted('@docs'))
    await waitFor(2)
    await world.settled(bot)
    expect(mattermost.messages[1]).toMatchObject({
      message: expect.stringContaining('Ask me a question'),
      offered: [],
    })
  },
)

verifies(
  ['bots.mattermost.connection', 'hooks.once'],
  'more events at once than may wait are all taken in the end, and of two bots with one account only the first hears them',
  async () => {
    const twin = await world.connect({
      platform: 'mattermost',
      config: { api_url: mattermost.origin },
      credentials: mattermost.credentials,
    })
    await world.check(twin)
    await eventually(
      () => world.problemOf(twin),
      (problem) => problem?.includes('same token') === true,
    )
    expect(mattermost.connections()).toBe(1)
    const before = (await eventsOf(bot)).length
    const many = 230
    for (let at = 0; at < many; at += 1) mattermost.tell(mattermostReaction(mattermostId('no answer'), '+1'))
    const taken = async () => (await eventsOf(bot)).length - before
    await eventually(taken, (count) => count === many)
    await world.settled(bot)
    expect(await eventsOf(twin)).toEqual([])
  },
  { tags: ['long'] },
)
