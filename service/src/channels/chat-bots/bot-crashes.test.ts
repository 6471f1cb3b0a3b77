import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { pauseSince } from '../../../test/pause-since.ts'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { startSlackStandIn, type SlackStandIn } from '../../../test/platforms/slack-stand-in.ts'
import { deliverToBot, slackMention } from '../../../test/platforms/slack-world.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'
import type { Storage } from '../../platform/storage/storage.ts'

let storage: Storage
let llm: FakeLlm
let slack: SlackStandIn
let botId: string

/** A process on the storage of the test. To end it and start another is what a restart is. */
const start = () =>
  startTestService(
    {
      CITEWELL_LLM_BASE_URL: llm.baseUrl,
      CITEWELL_LLM_MODEL: 'fake',
      CITEWELL_SECRET_KEY: 'the-same-key-in-each-process-of-this-test',
    },
    // A process closes its storage; that of the test goes on.
    { storage: { ...storage, close: () => Promise.resolve() } },
  )

beforeAll(async () => {
  storage = await openTestStorage()
  llm = await startFakeLlm(answersFromPage())
  slack = await startSlackStandIn()
  await using citewell = await start()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme' })
  const path = `/api/v1/knowledge-bases/${base.id}`
  const source = await citewell.json<{ id: string }>('POST', `${path}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Keys',
        url: 'https://docs.example.com/keys',
        markdown: `# Keys\n\n${ROTATION}`,
      },
    ],
  })
  const bot = {
    name: 'Help',
    platform: 'slack',
    config: { api_url: slack.apiUrl },
    credentials: slack.credentials,
  }
  botId = (await citewell.json<{ id: string }>('POST', `${path}/bots`, bot)).id
}, 180_000)
beforeEach(async () => {
  slack.reset()
  llm.script(answersFromPage())
  await storage.execute('delete from platform_posts')
  await storage.execute('delete from platform_events')
})
afterAll(async () => {
  await storage.close()
  await slack[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

const rows = async (statement: string) => (await storage.execute(statement)).rows
const ask = async (citewell: TestService, ts = '1900.1') => {
  const { status } = await deliverToBot(citewell, slack, botId, slackMention(QUESTION, { ts }))
  expect(status).toBe(200)
}

async function until(statement: string): Promise<void> {
  const begunAt = Date.now()
  while ((await rows(statement)).length === 0) {
    if (Date.now() > begunAt + 20_000) throw new Error(`It did not come to: ${statement}`)
    await pauseSince(begunAt)
  }
}

const DONE = "select 1 from platform_posts where status = 'posted'"

verifies(
  'hooks.crashes',
  'an event that was acknowledged while the process ended is answered by the next',
  async () => {
    llm.script(fakeLlm.neverAnswers())
    {
      await using citewell = await start()
      await ask(citewell)
      await until("select 1 from platform_events where status = 'handling'")
    }
    expect(await rows('select status, sealed_body is null as is_gone from platform_events')).toEqual([
      { status: 'received', is_gone: false },
    ])
    expect(slack.posts).toEqual([])
    llm.script(answersFromPage())
    await using again = await start()
    await slack.waitForPosts(1)
    await until(DONE)
    expect(await rows('select status, sealed_body, attempts from platform_events')).toEqual([
      { status: 'done', sealed_body: null, attempts: 2 },
    ])
    expect(again.address).toBeTruthy()
    expect(slack.posts).toHaveLength(1)
  },
)

verifies(
  'hooks.crashes',
  'a process that was killed before, while and after it decided leaves one answer, wherever it was',
  async () => {
    // What `kill -9` leaves at each step: the rows as they are committed there. Other processes take them over when the claim is old.
    const STEPS = {
      'after the event was stored': [
        "update platform_events set status = 'received', claim = null, attempts = 0",
        1,
      ],
      'while the answer was written': [
        "update platform_events set status = 'handling', claimed_at = now() - interval '1 hour'",
        1,
      ],
      'after the answer was decided': ["update platform_posts set status = 'pending'", 1],
      'while the answer was posted': [
        "update platform_posts set status = 'sending', attempted_at = now() - interval '1 hour'",
        0,
      ],
      'after the answer was posted': ["update platform_posts set status = 'posted'", 0],
    } as const
    let living = await start()
    onTestFinished(() => living[Symbol.asyncDispose]())
    for (const [step, [statement, posted]] of Object.entries(STEPS)) {
      slack.posts.length = 0
      const isDecided = statement.includes('platform_posts')
      // Held at the step: at the model, or at Slack, which asks to wait longer than this process lives.
      llm.script(isDecided ? answersFromPage() : fakeLlm.neverAnswers())
      if (isDecided) slack.misbehave('chat.postMessage', { is: 'limited', retryAfter: '3600' })
      await ask(living, `1901.${Object.keys(STEPS).indexOf(step)}`)
      await until(
        isDecided
          ? "select 1 from platform_posts where status = 'pending' and not_before is not null"
          : "select 1 from platform_events where status = 'handling'",
      )
      await living[Symbol.asyncDispose]()
      await storage.execute(statement)
      await storage.execute('update platform_posts set not_before = null')
      llm.script(answersFromPage())
      living = await start()
      if (posted === 1) await slack.waitForPosts(1)
      await until(
        "select 1 where not exists (select 1 from platform_events where status in ('received', 'handling'))",
      )
      await until(
        "select 1 where not exists (select 1 from platform_posts where status in ('pending', 'sending'))",
      )
      expect([step, slack.posts.length]).toEqual([step, posted])
      const [last] = await rows('select status, error from platform_posts order by seq desc limit 1')
      const isUncertain = step === 'while the answer was posted'
      expect([step, last?.['status']]).toEqual([step, isUncertain ? 'unknown' : 'posted'])
      const [bot] = await rows('select problem from integrations')
      if (isUncertain) expect(bot?.['problem']).toContain('it may have arrived')
      await storage.execute('delete from platform_posts')
      await storage.execute('delete from platform_events')
    }
  },
  { timeout: 120_000, tags: ['long'] },
)

verifies(
  ['hooks.crashes', 'bots.slack.live'],
  'the last edit of an answer that was shown live is repeated after a crash, and a message of its own is not',
  async () => {
    const HELD =
      "select 1 from platform_posts where status = 'pending' and not_before > now() + interval '1 minute'"
    const askLive = async (ts: string, held: 'chat.stopStream' | 'chat.postMessage') => {
      await using citewell = await start()
      llm.script(answersWhen(() => slack.live.size > 0))
      slack.misbehave(held, { is: 'limited', retryAfter: '3600' })
      await ask(citewell, ts)
      await until(HELD)
    }
    const crashAndGoOn = async () => {
      await storage.execute(
        "update platform_posts set status = 'sending', not_before = null, attempted_at = now() - interval '1 hour'",
      )
      await using next = await start()
      expect(next.address).toBeTruthy()
      await until("select 1 from platform_posts where status in ('posted', 'failed', 'unknown')")
      return (await rows('select status from platform_posts'))[0]?.['status']
    }
    await askLive('1903.1', 'chat.stopStream')
    expect(await crashAndGoOn()).toBe('posted')
    expect(slack.posts.map(({ ts }) => ts)).toEqual([...slack.live.keys()])
    expect(slack.calls.map(({ method }) => method)).not.toContain('chat.postMessage')

    slack.reset()
    await storage.execute('delete from platform_posts')
    slack.misbehave('chat.update', { is: 'error', error: 'cant_update_message' })
    await askLive('1903.2', 'chat.postMessage')
    expect(await crashAndGoOn()).toBe('unknown')
    expect(slack.posts).toEqual([])
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['bots.slack.live', 'bots.zero-retention'],
  'with zero data retention, an answer that is being shown when the service stops says that it was not finished',
  async () => {
    let isOver = false
    llm.script(answersWhen(() => isOver))
    await storage.execute('update workspaces set zero_data_retention = true')
    try {
      {
        await using citewell = await start()
        await ask(citewell, '1904.1')
        await until("select 1 from platform_events where live_ref <> ''")
      }
      const [shown] = slack.posts
      expect(shown && textOfMessage(shown).trim()).toBe(
        'This answer could not be finished. Please ask again.',
      )
      expect(slack.posts.map(({ ts }) => ts)).toEqual([...slack.live.keys()])
    } finally {
      isOver = true
      await storage.execute('update workspaces set zero_data_retention = false')
    }
  },
)

verifies('hooks.once', 'two processes that share a storage answer an event once', async () => {
  await using one = await start()
  await using other = await start()
  const event = slackMention(QUESTION, { ts: '1902.1' })
  await Promise.all([one, other, one, other].map((citewell) => deliverToBot(citewell, slack, botId, event)))
  await slack.waitForPosts(1)
  await until(DONE)
  expect(slack.posts).toHaveLength(1)
  expect(await rows('select attempts from platform_posts')).toEqual([{ attempts: 1 }])
})
