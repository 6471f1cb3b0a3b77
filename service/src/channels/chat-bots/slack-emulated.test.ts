import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  startEmulatedSlack,
  type EmulatedMessage,
  type EmulatedSlack,
  type SlackDelivery,
} from '../../../test/platforms/emulated-slack.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let slack: EmulatedSlack
let bot: string

const connect = (given: Pick<EmulatedSlack, 'apiUrl' | 'credentials'>) =>
  world.connect({
    platform: 'slack',
    config: { api_url: given.apiUrl, person_channel: slack.channels.team },
    credentials: given.credentials,
  })

beforeAll(async () => {
  world = await openBotWorld()
  slack = await startEmulatedSlack()
  bot = await connect(slack)
})
beforeEach(() => {
  slack.forget()
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await slack[Symbol.asyncDispose]()
})

const deliver = async ({ body, headers }: SlackDelivery, to = bot) => {
  expect(await world.deliver(to, body, headers)).toMatchObject({ status: 200 })
  await world.settled(to)
}
const wordsOf = (message: EmulatedMessage | undefined) => JSON.stringify(message?.blocks)
const methods = () =>
  slack.calls.map(({ path }) => path.replace('/api/', '')).filter((method) => method.startsWith('chat.'))

verifies(
  ['bots.slack.mentions', 'bots.slack.threads', 'bots.slack.direct-messages'],
  'a Slack that is not ours shows the answer in the thread of its question, with links and rating; the next question there knows of it, and a direct message is answered where it was written',
  async () => {
    const { help } = slack.channels
    const first = await slack.mention(help, QUESTION)
    await deliver(first.event)
    await deliver(first.event)
    const [question, answer, ...more] = await slack.read(help, first.ts)
    expect(question?.text).toBe(`<@${slack.bot}> ${QUESTION}`)
    expect(answer).toMatchObject({ user: slack.bot, thread_ts: first.ts })
    expect(wordsOf(answer)).toContain(ROTATION)
    expect(wordsOf(answer)).toContain('https://docs.example.com/keys')
    expect(wordsOf(answer)).toContain('feedback_buttons')
    expect(more).toEqual([])

    world.llm.requests.length = 0
    const second = await slack.mention(help, 'And how long do old ones stay valid?', first.ts)
    await deliver(second.event)
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
    expect(await slack.read(help, first.ts)).toHaveLength(4)

    const direct = await slack.direct(QUESTION)
    await deliver(direct.event)
    const [, reply] = await slack.read(direct.channel, direct.ts)
    expect([reply?.user, wordsOf(reply)]).toEqual([slack.bot, expect.stringContaining(ROTATION)])
  },
)

verifies(
  ['bots.slack.live', 'bots.slack.mentions'],
  'an answer that takes time is posted and edited there as one message; what Slack then says of that message, or of a question that was edited, is no question',
  async () => {
    const { help } = slack.channels
    let shown = ''
    world.llm.script(answersWhen(() => shown !== ''))
    const { event, ts } = await slack.mention(help, QUESTION)
    expect((await world.deliver(bot, event.body, event.headers)).status).toBe(200)
    shown = await eventually(
      async () => (await slack.read(help, ts))[1]?.text ?? '',
      (text) => text.startsWith('Signing'),
    )
    expect(shown).toBe('Signing &lt;!channel&gt; keys are …')
    await world.settled(bot)
    const [question, answer, ...more] = await slack.read(help, ts)
    expect(wordsOf(answer)).toContain('rotated once a day.')
    expect(answer).toMatchObject({ thread_ts: ts, edited: { user: slack.bot } })
    expect(more).toEqual([])
    expect(methods()).toEqual([
      'chat.startStream',
      'chat.postMessage',
      'chat.update',
      'chat.stopStream',
      'chat.update',
    ])

    const edited = `<@${slack.bot}> Another question?`
    await slack.asAda('chat.update', { channel: help, ts, text: edited })
    const changed = { type: 'message', subtype: 'message_changed', channel: help, ts: '1.1' }
    await deliver(slack.event({ ...changed, message: { ...question, text: edited } }))
    await deliver(slack.event({ ...changed, message: answer }))
    await deliver(slack.event({ ...answer, type: 'message', channel: help, channel_type: 'channel' }))
    expect(await slack.read(help, ts)).toHaveLength(2)
  },
)

verifies(
  'bots.person',
  'a press on the button passes the question on to the team’s channel there, with the address of the thread as that Slack knows it',
  async () => {
    const { help, team } = slack.channels
    const { event, ts } = await slack.mention(help, QUESTION)
    await deliver(event)
    const [, answer] = await slack.read(help, ts)
    if (answer === undefined) throw new Error('no answer')
    const press = slack.press(help, answer, { action_id: 'citewell_person', value: 'person' })
    await deliver(press)
    await deliver(press)
    const told = await slack.read(team)
    expect(told).toHaveLength(1)
    expect(wordsOf(told[0])).toContain(QUESTION)
    const link = await slack.asAda('chat.getPermalink', { channel: help, message_ts: ts })
    expect(wordsOf(told[0])).toContain(link['permalink'])
    expect(wordsOf((await slack.read(help, ts)).at(-1))).toContain('passed this on')
  },
  { tags: ['long'] },
)

verifies(
  'bots.problem',
  'a channel that the bot was removed from, one that was archived, and a token without the scope to write are said on the record',
  async () => {
    const made = await slack.asAda('conversations.create', { name: 'private', is_private: true })
    const { id: channel } = made['channel'] as { id: string }
    await slack.asAda('conversations.invite', { channel, users: slack.bot })
    await deliver((await slack.mention(channel, QUESTION)).event)
    expect(await world.problemOf(bot)).toBeNull()
    await slack.asAda('conversations.kick', { channel, user: slack.bot })
    const { event, ts } = await slack.mention(channel, QUESTION)
    await deliver(event)
    expect(await world.problemOf(bot)).toContain('(not_in_channel). Invite it there')
    expect(await slack.read(channel, ts)).toHaveLength(1)

    const late = await slack.mention(slack.channels.help, QUESTION)
    await slack.asAda('conversations.archive', { channel: slack.channels.help })
    await deliver(late.event)
    expect(await world.problemOf(bot)).toContain('is archived in Slack (is_archived). Unarchive it')
    await slack.asAda('conversations.unarchive', { channel: slack.channels.help })

    await using bare = await startEmulatedSlack({ scopes: ['im:history'] })
    const unable = await connect(bare)
    await deliver((await bare.mention(bare.channels.help, QUESTION)).event, unable)
    expect(await world.problemOf(unable)).toContain('lacks the scope chat:write')
  },
  { tags: ['long'] },
)
