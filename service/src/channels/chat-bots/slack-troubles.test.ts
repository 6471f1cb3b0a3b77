import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { openSlackWorld, type SlackWorld } from '../../../test/platforms/slack-world.ts'
import { answersFromPage, QUESTION } from '../../../test/webhook-world.ts'

let world: SlackWorld

beforeAll(async () => {
  world = await openSlackWorld()
})
beforeEach(() => {
  world.slack.reset()
  world.llm.script(answersFromPage())
})
afterAll(() => world[Symbol.asyncDispose]())

interface Shown {
  problem: { because: string; at: string } | null
}

const problemOf = async (id: string) =>
  (await world.citewell.json<Shown>('GET', `/api/v1/bots/${id}`)).problem
const ask = async (id: string, ts: string, channel = 'C0HELP') => {
  const { status } = await world.deliver(id, world.mention(QUESTION, { ts, channel }))
  expect(status).toBe(200)
}
const postsOf = (id: string) =>
  world.citewell.rows(
    `select status, attempts, sealed_body, error from platform_posts where integration_id = '${id}' order by seq`,
  )

verifies(
  'bots.limits',
  'a bot waits as long as Slack says, in seconds or until a date, and posts then, once',
  async () => {
    const bot = await world.connect()
    // Longer than the pace of a channel, which is a second.
    const date = new Date(Date.now() + 5_000).toUTCString()
    world.slack.misbehave(
      'chat.postMessage',
      { is: 'limited', retryAfter: '2' },
      { is: 'limited', retryAfter: date },
    )
    await ask(bot.id, '1800.1')
    await world.slack.waitForPosts(1)
    await world.settled(bot.id)
    expect(world.slack.posts).toHaveLength(1)
    const times = world.slack.calls.flatMap(({ method, at }) =>
      method === 'chat.postMessage' ? [at.getTime()] : [],
    )
    const [first = 0, second = 0, third = 0] = times
    expect(times).toHaveLength(3)
    // A timer may end a millisecond early.
    expect(second - first).toBeGreaterThan(1_990)
    expect(third - Date.parse(date)).toBeGreaterThan(-10)
    expect(await postsOf(bot.id)).toEqual([{ status: 'posted', attempts: 3, sealed_body: null, error: null }])
    expect(await problemOf(bot.id)).toBeNull()
  },
  { tags: ['long'] },
)

verifies(
  'bots.limits',
  'ten channels are answered side by side, each at the pace of Slack, though one has many questions',
  async () => {
    const bot = await world.connect()
    const channels = Array.from({ length: 10 }, (_, at) => `C${at}`)
    for (const channel of channels) world.slack.channels.add(channel)
    const startedAt = performance.now()
    const busy = Array.from({ length: 4 }, (_, at) => ask(bot.id, `1801.${at}`, 'C0'))
    await Promise.all([
      ...busy,
      ...channels.slice(1).map((channel, at) => ask(bot.id, `1802.${at}`, channel)),
    ])
    const posts = await world.slack.waitForPosts(13)
    const limited = world.slack.calls.filter(({ answered }) => answered === '429')
    expect(limited).toEqual([])
    const lastOfOthers = Math.max(...posts.filter(({ channel }) => channel !== 'C0').map(({ at }) => at))
    const lastOfBusy = Math.max(...posts.filter(({ channel }) => channel === 'C0').map(({ at }) => at))
    // The busy channel takes three seconds and more for its four; nobody waits for it.
    expect(lastOfBusy - startedAt).toBeGreaterThan(3_000)
    expect(lastOfOthers).toBeLessThan(lastOfBusy)
  },
  { tags: ['long'] },
)

verifies(
  'bots.problem',
  'a revoked token, a channel without the bot and a missing scope are said on the record, until it works again',
  async () => {
    const bot = await world.connect()
    expect(await problemOf(bot.id)).toBeNull()
    const failed = async (ts: string, channel?: string) => {
      await ask(bot.id, ts, channel)
      await world.settled(bot.id)
      return (await problemOf(bot.id))?.because
    }
    world.slack.isRevoked = true
    expect(await failed('1803.1')).toContain('does not accept the bot token (token_revoked)')
    world.slack.isRevoked = false
    expect(await failed('1803.2', 'C0GONE')).toContain('Invite it there')
    world.slack.scopes.delete('chat:write')
    expect(await failed('1803.3')).toContain('lacks the scope chat:write')
    world.slack.scopes.add('chat:write')
    expect(world.slack.posts).toEqual([])
    await ask(bot.id, '1803.4')
    await world.slack.waitForPosts(1)
    await world.settled(bot.id)
    expect(await problemOf(bot.id)).toBeNull()
    await world.deliver(bot.id, {
      type: 'event_callback',
      event_id: 'Ev-gone',
      team_id: '',
      event: { type: 'app_uninstalled' },
    })
    await world.settled(bot.id)
    expect((await problemOf(bot.id))?.because).toContain('was removed')
    await world.citewell.json('PATCH', `/api/v1/bots/${bot.id}`, { credentials: world.slack.credentials })
    expect(await problemOf(bot.id)).toBeNull()
  },
)

verifies(
  'hooks.crashes',
  'a post that Slack does not confirm is not repeated, and the record says that it is uncertain',
  async () => {
    const moods = [{ is: 'hangs-up-after-posting' } as const, { is: 'status', status: 500 } as const]
    for (const [at, mood] of moods.entries()) {
      const channel = `C0UNSURE${at}`
      world.slack.channels.add(channel)
      const bot = await world.connect()
      world.slack.posts.length = 0
      world.slack.misbehave('chat.postMessage', mood)
      await ask(bot.id, '1804.1', channel)
      await world.settled(bot.id)
      const tried = world.slack.calls.filter(({ method }) => method === 'chat.postMessage')
      expect(tried).toHaveLength(1)
      expect(world.slack.posts).toHaveLength(mood.is === 'status' ? 0 : 1)
      expect(await postsOf(bot.id)).toMatchObject([{ status: 'unknown', sealed_body: null }])
      expect((await problemOf(bot.id))?.because).toContain('may or may not have been posted')
      world.slack.calls.length = 0
    }
  },
)

verifies(
  'bots.check',
  'a check says which account, scopes and credentials a bot has, and posts nothing',
  async () => {
    const bot = await world.connect()
    const check = (id: string) =>
      world.citewell.json<Record<string, unknown>>('POST', `/api/v1/bots/${id}/check`)
    const hookUrl = `${world.citewell.address}/api/v1/hooks/${bot.id}`
    expect(await check(bot.id)).toEqual({
      is_working: true,
      account: 'citewell in Acme',
      missing_scopes: [],
      problems: [],
      hook_url: hookUrl,
    })
    world.slack.scopes.delete('im:history')
    expect(await check(bot.id)).toMatchObject({ is_working: false, missing_scopes: ['im:history'] })
    world.slack.scopes.add('im:history')
    const setTo = (config: object) => world.citewell.json('PATCH', `/api/v1/bots/${bot.id}`, { config })
    await setTo({ channel: 'help', answer_only_when_covered: 'yes' })
    expect(await check(bot.id)).toMatchObject({
      is_working: false,
      problems: [
        expect.stringContaining('There is no setting channel'),
        expect.stringContaining('answer_only_when_covered is neither true nor false'),
      ],
    })
    await setTo({ channel: null, answer_only_when_covered: 'false' })
    expect(await check(bot.id)).toMatchObject({ is_working: true, problems: [] })
    world.slack.isRevoked = true
    expect(await check(bot.id)).toMatchObject({
      is_working: false,
      account: null,
      problems: [expect.stringContaining('token_revoked')],
    })
    world.slack.isRevoked = false
    const bare = await world.connect({
      credentials: { bot_token: 'xoxp-person' },
      config: { api_url: 'http://slack.example' },
    })
    expect(await check(bare.id)).toMatchObject({
      problems: [
        expect.stringContaining('begins with xoxb-'),
        expect.stringContaining('signing_secret is missing'),
        expect.stringContaining('api_url'),
      ],
    })
    expect(await world.citewell.json('GET', `/api/v1/bots/${bot.id}/setup`)).toMatchObject({
      hook_url: hookUrl,
      credentials: [
        { name: 'bot_token', is_set: true },
        { name: 'signing_secret', is_set: true },
      ],
      manifest: {
        oauth_config: { scopes: { bot: ['app_mentions:read', 'chat:write', 'im:history'] } },
        settings: { event_subscriptions: { request_url: hookUrl }, interactivity: { request_url: hookUrl } },
      },
    })
    expect(world.slack.posts).toEqual([])
    const base = await world.makeBase({})
    const own = await world.citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base}/bots`, {
      name: 'Ours',
      platform: 'other',
    })
    for (const [method, path] of [
      ['POST', 'check'],
      ['GET', 'setup'],
    ] as const) {
      const refused = await world.citewell.send(method, `/api/v1/bots/${own.id}/${path}`)
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'CONFLICT' }])
    }
  },
  { tags: ['long'] },
)

verifies(
  'bots.zero-retention',
  'with zero data retention a question is answered, waits where Slack says so, and leaves no text behind',
  async () => {
    const { data } = await world.citewell.json<{ data: { workspace_id: string }[] }>(
      'GET',
      '/api/v1/knowledge-bases',
    )
    const workspace = `/api/v1/workspaces/${data[0]?.workspace_id}`
    await world.citewell.json('PATCH', workspace, { zero_data_retention: true })
    try {
      const bot = await world.connect({ base: await world.makeBase({}) })
      world.slack.misbehave('chat.postMessage', { is: 'limited', retryAfter: '1' })
      await ask(bot.id, '1805.1')
      const [post] = await world.slack.waitForPosts(1)
      await world.settled(bot.id)
      expect(post && textOfMessage(post)).toContain('rotated')
      expect(JSON.stringify(post?.blocks)).not.toContain('feedback_buttons')
      expect(await postsOf(bot.id)).toEqual([])
      expect(
        await world.citewell.rows(
          `select status, sealed_body from platform_events where integration_id = '${bot.id}'`,
        ),
      ).toEqual([{ status: 'done', sealed_body: null }])
      expect(
        await world.citewell.rows(`select 1 from platform_conversations where integration_id = '${bot.id}'`),
      ).toEqual([])
    } finally {
      await world.citewell.json('PATCH', workspace, { zero_data_retention: false })
    }
  },
  { tags: ['long'] },
)

verifies(
  ['bots.problem', 'hooks.proof'],
  'what cannot be opened with the secret key of the service is given up, and keeps neither its thread nor its channel waiting; a bot whose credentials cannot be opened proves nothing',
  async () => {
    const bot = await world.connect()
    const ofBot = `integration_id = '${bot.id}'`
    const otherKey = "'cws1.0a1b2c3d.AAAA'"
    world.slack.misbehave('chat.postMessage', { is: 'limited', retryAfter: '3' })
    await ask(bot.id, '1806.1')
    const pending = () =>
      world.citewell.rows(
        `select 1 from platform_posts where ${ofBot} and status = 'pending' and attempts = 1`,
      )
    while ((await pending()).length === 0) await new Promise((wake) => void setTimeout(wake, 20))
    await world.citewell.rows(
      `update platform_posts set sealed_body = ${otherKey} where ${ofBot} returning 1`,
    )
    await world.settled(bot.id)
    expect(await postsOf(bot.id)).toMatchObject([
      { status: 'failed', sealed_body: null, error: expect.stringContaining('cannot be opened') },
    ])
    expect((await problemOf(bot.id))?.because).toContain('cannot be opened')
    await world.citewell.rows(
      `insert into platform_events (knowledge_base_id, integration_id, delivery_id, lane, sealed_body, status, attempts, received_at, updated_at)
        select knowledge_base_id, id, 'sealed elsewhere', 'C0HELP:1806.2', ${otherKey}, 'received', 0, now(), now()
        from integrations where id = '${bot.id}' returning 1`,
    )
    await ask(bot.id, '1806.2')
    await world.slack.waitForPosts(1)
    await world.settled(bot.id)
    expect(
      await world.citewell.rows(`select status from platform_events where ${ofBot} order by seq`),
    ).toEqual([{ status: 'done' }, { status: 'failed' }, { status: 'done' }])
    expect(await problemOf(bot.id)).toBeNull()
    await world.citewell.rows(
      `update integrations set sealed_credentials = ${otherKey} where id = '${bot.id}' returning 1`,
    )
    expect((await world.deliver(bot.id, world.mention(QUESTION, { ts: '1806.3' }))).status).toBe(401)
  },
  { tags: ['long'] },
)
