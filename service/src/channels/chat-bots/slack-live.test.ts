import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm, type FakeBehaviour } from '../../../test/fake-llm.ts'
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

const BEGINNING = 'Signing `<!channel>` keys are '

/** A model that goes on when something has happened. */
const waitsFor =
  (happened: () => boolean): FakeBehaviour =>
  async ({ request, response }) => {
    const slowly = fakeLlm.stallsAfter(BEGINNING)
    await slowly({ request, response })
    const chunk = (delta: object, reason: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
    const writing = setInterval(() => response.write(chunk({ content: ' ' }, null)), 100)
    await eventually(happened, (has) => has).finally(() => clearInterval(writing))
    response.write(chunk({ content: 'rotated once a day. [1]' }, null))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
const seen = () => [...world.slack.live.values()].flatMap((message) => message.seen)
const methods = () =>
  world.slack.calls.map(({ method }) => method).filter((method) => method.startsWith('chat.'))
const mention = (ts: string) => world.mention(QUESTION, { ts })

verifies(
  'bots.slack.live',
  'an answer that takes time is shown while it is written, calls nobody meanwhile, and becomes the whole answer with links and rating',
  async () => {
    world.llm.script(waitsFor(() => seen().length > 0))
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
  await world.deliver(bot, mention('2001.1'))
  await world.slack.waitForPosts(1)
  await world.settled(bot)
  expect(methods()).toEqual(['chat.postMessage'])
})

verifies(
  'bots.slack.live',
  'where Slack has no streams a message is posted and edited; where the beginning is uncertain, the answer is posted whole',
  async () => {
    world.slack.hasStreams = false
    world.llm.script(waitsFor(() => methods().includes('chat.update')))
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
    world.llm.script(waitsFor(() => methods().includes('chat.startStream')))
    await world.deliver(bot, mention('2003.1'))
    await world.slack.waitForPosts(1)
    await world.settled(bot)
    expect(methods()).toEqual(['chat.startStream', 'chat.postMessage'])
    expect(seen()).toEqual([])
  },
)

verifies(
  ['bots.slack.live', 'hooks.crashes'],
  'a process that ends while it shows an answer leaves a message that the next one makes the answer',
  async () => {
    const { storage } = world.citewell
    let isDead = false
    world.llm.script(
      waitsFor(() => isDead),
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
)
