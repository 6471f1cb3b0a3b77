import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { openSlackWorld, type SlackWorld } from '../../../test/platforms/slack-world.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: SlackWorld

beforeAll(async () => {
  world = await openSlackWorld()
})
beforeEach(() => {
  world.slack.reset()
  world.llm.script(answersFromPage())
})
afterAll(() => world[Symbol.asyncDispose]())

const RATING = { type: 'context_actions' }

verifies(
  ['bots.answer-in-channels', 'bots.slack.mentions'],
  'a mention in a channel is acknowledged immediately, and answered in its thread with links to what it cites',
  async () => {
    const bot = await world.connect()
    const delivered = await world.deliver(bot.id, world.mention(QUESTION, { ts: '1700.1' }))
    expect([delivered.status, delivered.text]).toEqual([200, '{}'])
    const [post] = await world.slack.waitForPosts(1)
    expect(post).toMatchObject({ channel: 'C0HELP', thread_ts: '1700.1', parse: 'none', unfurl_links: false })
    expect(post && textOfMessage(post)).toContain(`${ROTATION} [1]`)
    expect(post && textOfMessage(post)).toContain('Sources\n[1] Rotating signing keys')
    const links = JSON.stringify(post?.blocks).match(/https:\/\/docs\.example\.com\/keys[^"]*/g) ?? []
    expect(links.length).toBeGreaterThan(1)
    expect(post?.blocks.at(-1)).toMatchObject(RATING)
    expect(world.slack.calls.map(({ method }) => method)).toContain('assistant.threads.setStatus')
    const [stored] = await world.citewell.rows(
      `select surface from threads where user_ref = '${bot.id}:C0HELP:1700.1'`,
    )
    expect(stored).toEqual({ surface: 'bot' })
  },
)

verifies(
  'bots.slack.threads',
  'a second question in a thread is answered with the first as its context; another thread knows nothing of it',
  async () => {
    const bot = await world.connect()
    await world.deliver(bot.id, world.mention(QUESTION, { ts: '1701.1' }))
    await world.slack.waitForPosts(1)
    world.llm.requests.length = 0
    await world.deliver(
      bot.id,
      world.mention('And how long do old ones stay valid?', { ts: '1701.2', thread_ts: '1701.1' }),
    )
    await world.slack.waitForPosts(2)
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
    world.llm.requests.length = 0
    await world.deliver(bot.id, world.mention('How long do old signing keys stay valid?', { ts: '1702.1' }))
    const posts = await world.slack.waitForPosts(3)
    expect(JSON.stringify(world.llm.requests)).not.toContain(QUESTION)
    expect(posts.map(({ thread_ts }) => thread_ts)).toEqual(['1701.1', '1701.1', '1702.1'])
  },
)

verifies(
  'bots.slack.direct-messages',
  'a direct message is a question; messages of programs, edits, deletions and those in channels without the bot’s name are not',
  async () => {
    const bot = await world.connect()
    const direct = world.direct(QUESTION, { ts: '1703.1' })
    const ignored = [
      world.direct(QUESTION, { ts: '1703.2', bot_id: 'B0BOT' }),
      world.direct(QUESTION, { ts: '1703.3', subtype: 'bot_message' }),
      world.direct(QUESTION, { ts: '1703.4', subtype: 'message_changed' }),
      world.direct(QUESTION, { ts: '1703.5', subtype: 'message_deleted' }),
      world.direct(QUESTION, { ts: '1703.6', channel: 'C0HELP', channel_type: 'channel' }),
      world.mention(QUESTION, { ts: '1703.7', edited: { user: 'U0ASKER', ts: '1703.8' } }),
      { type: 'event_callback', event_id: 'Ev-x', event: { type: 'app_home_opened', user: 'U1' } },
      { type: 'event_callback', event_id: 'Ev-y', event: { type: 'message', channel: 5 } },
      { surprise: true },
      [],
    ]
    for (const event of ignored) expect((await world.deliver(bot.id, event)).status).toBe(200)
    await world.deliver(bot.id, direct)
    const posts = await world.slack.waitForPosts(1)
    expect(posts).toMatchObject([{ channel: 'D0DIRECT', thread_ts: '1703.1' }])
    expect(
      await world.citewell.rows(`select 1 from platform_events where integration_id = '${bot.id}'`),
    ).toHaveLength(1)
  },
)

verifies(
  'hooks.once',
  'an event that is delivered again and again, and a model that takes longer than Slack waits, give one answer',
  async () => {
    const bot = await world.connect()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    world.llm.script(async (exchange) => {
      await held
      await answersFromPage()(exchange)
    })
    const event = world.mention(QUESTION, { ts: '1704.1' })
    const first = await world.deliver(bot.id, event)
    const again = [
      await world.deliver(bot.id, event, {
        'x-slack-retry-num': '1',
        'x-slack-retry-reason': 'http_timeout',
      }),
      ...(await Promise.all([world.deliver(bot.id, event), world.deliver(bot.id, event)])),
    ]
    expect([first, ...again].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    release()
    await world.slack.waitForPosts(1)
    await world.deliver(bot.id, event)
    await world.settled(bot.id)
    expect(world.slack.posts).toHaveLength(1)
  },
)

test('a character that the database does not take, in ids and words of an event, keeps no answer back', async () => {
  const bot = await world.connect()
  const event = world.mention(`${QUESTION}\0`, { ts: '1704.9\0', user: 'U\0', channel: 'C0HELP\0' })
  expect((await world.deliver(bot.id, { ...event, event_id: 'Ev\0\uD800' })).status).toBe(200)
  const [post] = await world.slack.waitForPosts(1)
  expect(post).toMatchObject({ channel: 'C0HELP', thread_ts: '1704.9' })
  await world.settled(bot.id)
})

verifies('bots.slack.handshake', 'Slack’s check of the address is answered, if it is signed', async () => {
  const bot = await world.connect()
  const handshake = {
    type: 'url_verification',
    challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    token: 'x',
  }
  const { status, text } = await world.deliver(bot.id, handshake)
  expect([status, JSON.parse(text)]).toEqual([200, { challenge: handshake.challenge }])
  expect((await world.deliver(bot.id, handshake, { 'x-slack-signature': 'v0=00' })).status).toBe(401)
})

verifies('bots.rating', 'the buttons under an answer rate it; the last click counts', async () => {
  const bot = await world.connect()
  await world.deliver(bot.id, world.mention(QUESTION, { ts: '1705.1' }))
  const [post] = await world.slack.waitForPosts(1)
  const buttons = post?.blocks.at(-1)
  const [element] = buttons?.type === 'context_actions' ? buttons.elements : []
  const messageId = element?.positive_button.value.split(':')[1]
  const votes = async () =>
    await world.citewell.rows(`select vote, source from feedback where message_id = '${messageId}'`)
  expect((await world.click(bot.id, element?.positive_button.value ?? '', 'U1')).status).toBe(200)
  await world.settled(bot.id)
  expect(await votes()).toEqual([{ vote: 'up', source: 'bot' }])
  await world.click(bot.id, element?.negative_button.value ?? '', 'U2')
  await world.settled(bot.id)
  expect(await votes()).toEqual([{ vote: 'down', source: 'bot' }])
  // A value that no button of this bot has.
  await world.click(bot.id, 'up:0197f0c2-8a4e-4c31-9d52-6f1b2a7e4c10', 'U1')
  await world.click(bot.id, 'sideways:x', 'U1')
  await world.settled(bot.id)
  expect(await votes()).toHaveLength(1)
})

verifies(
  'bots.uncovered',
  'a bot says that the documentation does not cover a question, or nothing if it is set so',
  async () => {
    const bot = await world.connect()
    await world.deliver(bot.id, world.mention(OFF_TOPIC, { ts: '1706.1' }))
    const [post] = await world.slack.waitForPosts(1)
    expect(post && textOfMessage(post)).toContain('says nothing of cakes')
    await world.citewell.json('PATCH', `/api/v1/bots/${bot.id}`, {
      // As the dashboard sends it.
      config: { answer_only_when_covered: 'true' },
    })
    await world.deliver(bot.id, world.mention(OFF_TOPIC, { ts: '1706.2' }))
    await world.settled(bot.id)
    await world.deliver(bot.id, world.mention(QUESTION, { ts: '1706.3' }))
    const posts = await world.slack.waitForPosts(2)
    expect(posts.map(({ thread_ts }) => thread_ts)).toEqual(['1706.1', '1706.3'])
  },
)

verifies(
  'bots.switched-off',
  'a bot that is switched off takes nothing and posts nothing; others go on',
  async () => {
    const [off, on] = [await world.connect(), await world.connect()]
    await world.citewell.json('PATCH', `/api/v1/bots/${off.id}`, { enabled: false })
    expect((await world.deliver(off.id, world.mention(QUESTION, { ts: '1707.1' }))).status).toBe(200)
    await world.deliver(on.id, world.mention(QUESTION, { ts: '1707.2' }))
    expect(await world.slack.waitForPosts(1)).toMatchObject([{ thread_ts: '1707.2' }])
    expect(
      await world.citewell.rows(`select 1 from platform_events where integration_id = '${off.id}'`),
    ).toEqual([])
  },
)

verifies(
  ['bots.internal-answers-everyone', 'bots.external-public-only', 'connectors.bots-after-a-switch'],
  'on a base that became internal its bot answers everyone in the channel; on an external one from public documents only',
  async () => {
    const switched = await world.makeBase({})
    const internal = await world.connect({ base: switched })
    await world.citewell.json('PATCH', `/api/v1/knowledge-bases/${switched}`, { type: 'internal' })
    await world.deliver(internal.id, world.mention(QUESTION, { ts: '1708.1' }))
    const [post] = await world.slack.waitForPosts(1)
    expect(post && textOfMessage(post)).toContain(ROTATION)

    const base = await world.makeBase({})
    const bot = await world.connect({ base })
    const { data } = await world.citewell.json<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base}/documents`,
    )
    await world.citewell.json('PATCH', `/api/v1/documents/${data[0]?.id}`, { visibility: 'restricted' })
    await world.deliver(bot.id, world.mention(QUESTION, { ts: '1708.2' }))
    const [, second] = await world.slack.waitForPosts(2)
    expect(second && textOfMessage(second)).not.toContain('once a day')
    await world.citewell.json('POST', `/api/v1/knowledge-bases/${base}/archive`, {})
    await world.deliver(bot.id, world.mention(QUESTION, { ts: '1708.3' }))
    expect(world.slack.posts).toHaveLength(2)
  },
)

test('a question that cannot be answered gets a sentence, never silence', async () => {
  const bot = await world.connect()
  world.llm.script(fakeLlm.paymentRequired())
  await world.deliver(bot.id, world.mention(QUESTION, { ts: '1709.1' }))
  const [post] = await world.slack.waitForPosts(1)
  expect(post && textOfMessage(post)).toContain('not set up correctly')
  await world.deliver(bot.id, world.mention('', { ts: '1709.2' }))
  const [, second] = await world.slack.waitForPosts(2)
  expect(second && textOfMessage(second)).toContain('Ask me a question')
})

test('the words of a message are read as people see them', async () => {
  const bot = await world.connect()
  const text =
    '<@U0BOT|bot> how often are <https://docs.example.com/a?b=1&amp;c|signing keys> rotated if a &lt; b? <!channel> <#C1|help>'
  await world.deliver(bot.id, world.mention(text, { ts: '1710.1' }))
  await world.slack.waitForPosts(1)
  const [row] = await world.citewell.rows(
    `select m.query from messages m join threads t on t.id = m.thread_id where t.user_ref = '${bot.id}:C0HELP:1710.1'`,
  )
  expect(row).toEqual({ query: 'how often are signing keys rotated if a < b? help' })
})
