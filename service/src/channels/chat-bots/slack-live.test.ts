import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { openSlackWorld, type SlackWorld } from '../../../test/platforms/slack-world.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: SlackWorld
let bot: string

beforeAll(async () => {
  world = await openSlackWorld()
  bot = (await world.connect()).id
})
beforeEach(() => {
  world.slack.reset()
  world.llm.script(answersFromPage())
})
afterAll(() => world[Symbol.asyncDispose]())

const seen = () => [...world.slack.live.values()].flatMap((message) => message.seen)
const methods = () =>
  world.slack.calls.map(({ method }) => method).filter((method) => method.startsWith('chat.'))
const mention = (ts: string) => world.mention(QUESTION, { ts })

verifies(
  'bots.slack.live',
  'an answer that takes time is shown while it is written, calls nobody meanwhile, and becomes the whole answer with links and rating',
  async () => {
    let at: number | undefined
    // Long enough for another piece, of white space alone.
    world.llm.script(
      answersWhen(() => {
        if (seen().length > 0) at ??= performance.now()
        return at !== undefined && performance.now() - at > 1_200
      }),
    )
    await world.deliver(bot, mention('2000.1'))
    const [answer] = await world.slack.waitForPosts(1)
    await world.settled(bot)
    const [[ts, live] = []] = world.slack.live
    expect(live).toMatchObject({
      channel: 'C0HELP',
      thread: '2000.1',
      recipient: { team: 'T0ACME', user: 'U0ASKER' },
      isStreaming: false,
      seen: [expect.stringMatching(/^Signing `<\u200B!channel>` keys are +$/)],
    })
    expect(answer).toMatchObject({ ts, thread_ts: '2000.1' })
    if (answer === undefined) throw new Error('no answer')
    expect(textOfMessage(answer)).toContain('keys are rotated once a day.')
    expect(JSON.stringify(answer.blocks)).toContain('https://docs.example.com/keys')
    expect(JSON.stringify(answer.blocks)).toContain('feedback_buttons')
    expect(methods()).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update'])
    expect(world.slack.posts).toHaveLength(1)
  },
)

verifies('bots.slack.live', 'an answer that is written at once is posted at once', async () => {
  // The team is not known then: it is needed only for a stream.
  await world.deliver(bot, { ...world.mention(QUESTION, { ts: '2001.1', team: '' }), team_id: null })
  await world.slack.waitForPosts(1)
  await world.settled(bot)
  expect(methods()).toEqual(['chat.postMessage'])
})

verifies(
  'bots.slack.live',
  'where Slack has no streams a message is posted and edited; where the beginning is uncertain, the answer is posted whole',
  async () => {
    world.slack.hasStreams = false
    world.llm.script(answersWhen(() => methods().includes('chat.update')))
    await world.deliver(bot, mention('2002.1'))
    await eventually(
      () => world.slack.posts.map(textOfMessage),
      (texts) => texts.some((text) => text.includes('rotated once a day.')),
    )
    await world.settled(bot)
    expect(world.slack.posts).toHaveLength(1)
    const edits = world.slack.calls.filter(({ method }) => method === 'chat.update')
    expect(edits[0]?.body['text']).toBe('Signing &lt;!channel&gt; keys are …')

    world.slack.reset()
    world.slack.misbehave('chat.startStream', { is: 'hangs-up-after-posting' })
    world.llm.script(answersWhen(() => methods().includes('chat.startStream')))
    await world.deliver(bot, mention('2003.1'))
    await world.slack.waitForPosts(1)
    await world.settled(bot)
    expect(methods()).toEqual(['chat.startStream', 'chat.postMessage'])
    expect(seen()).toEqual([])
  },
  { tags: ['long'] },
)

verifies(
  ['bots.slack.live', 'hooks.crashes'],
  'a process that ends while it shows an answer leaves a message that the next one makes the answer',
  async () => {
    const { storage } = world.citewell
    let isDead = false
    world.llm.script(
      answersWhen(() => isDead),
      answersFromPage(),
    )
    await world.deliver(bot, mention('2004.1'))
    await eventually(seen, ({ length }) => length > 0)
    // As `kill -9` leaves it: the claim is old, and the event is taken again. What had it before cannot end it.
    await storage.execute(
      "update platform_events set status = 'received', claim = null, claimed_at = null where status = 'handling'",
    )
    isDead = true
    await world.slack.waitForPosts(1)
    await world.settled(bot)
    expect(world.slack.posts).toHaveLength(1)
    expect(world.slack.posts[0]?.ts).toBe([...world.slack.live.keys()][0])
    expect(textOfMessage(world.slack.posts[0] ?? ({ blocks: [] } as never))).toContain(ROTATION)
    expect(methods().filter((method) => method === 'chat.startStream')).toHaveLength(1)
    expect(methods()).not.toContain('chat.postMessage')
  },
  { tags: ['long'] },
)

verifies(
  'bots.slack.live',
  'where Slack refuses the last edit, or the end of the stream, the answer is a message of its own; a piece that hangs keeps nobody waiting',
  async () => {
    const ask = async (ts: string) => {
      world.llm.script(answersWhen(() => methods().includes('chat.appendStream')))
      await world.deliver(bot, mention(ts))
      const [answer] = await world.slack.waitForPosts(1)
      await world.settled(bot)
      expect(answer && textOfMessage(answer)).toContain('rotated once a day.')
    }
    const newPosts = () => methods().filter((method) => method === 'chat.postMessage').length
    world.slack.misbehave('chat.update', { is: 'error', error: 'msg_too_long' })
    await ask('2005.1')
    expect(newPosts()).toBe(1)

    world.slack.reset()
    world.slack.misbehave('chat.stopStream', { is: 'error', error: 'message_not_owned_by_app' })
    await ask('2005.2')
    expect(newPosts()).toBe(1)

    world.slack.reset()
    world.slack.misbehave('chat.appendStream', { is: 'hangs' })
    const startedAt = performance.now()
    await ask('2005.3')
    expect(newPosts()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['bots.slack.live', 'hooks.crashes'],
  'a draft that nobody finishes says so: after the last attempt, after an hour, of a bot that was switched off or says nothing now',
  async () => {
    const { storage } = world.citewell
    const again = async (also = '') =>
      await storage.execute(
        `update platform_events set status = 'received', claim = null, claimed_at = null${also} where status = 'handling'`,
      )
    const change = async (fields: object) => await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, fields)
    const inTheMiddle: Record<string, () => Promise<unknown>> = {
      'it failed for the last time': async () =>
        await storage.execute('alter table platform_posts add constraint breaks check (false) not valid'),
      'an hour went by': async () => await again(", received_at = now() - interval '2 hours'"),
      'it was switched off': async () => {
        await change({ enabled: false })
        await again()
      },
      'it says nothing now': async () => {
        await change({ config: { api_url: world.slack.apiUrl, answer_only_when_covered: true } })
        await again()
      },
    }
    for (const [at, [event, happens]] of Object.entries(inTheMiddle).entries()) {
      world.slack.reset()
      let isOver = false
      world.llm.script(
        answersWhen(() => isOver),
        fakeLlm.replies(() => 'NOT COVERED: The documentation says nothing of it.'),
      )
      await world.deliver(bot, mention(`2006.${at}`))
      await eventually(seen, ({ length }) => length > 0)
      await happens()
      isOver = true
      const [shown] = await world.slack.waitForPosts(1)
      await world.settled(bot)
      expect([event, shown && textOfMessage(shown).trim()]).toEqual([
        event,
        'This answer could not be finished. Please ask again.',
      ])
      expect(shown?.ts).toBe([...world.slack.live.keys()][0])
      expect([event, methods().includes('chat.postMessage')]).toEqual([event, false])
      await storage.execute('alter table platform_posts drop constraint if exists breaks')
      await change({ enabled: true, config: { api_url: world.slack.apiUrl } })
    }
  },
  { timeout: 60_000, tags: ['long'] },
)
