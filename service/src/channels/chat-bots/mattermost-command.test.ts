import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  MATTERMOST_COMMAND_TOKEN,
  mattermostId,
  mattermostReaction,
  startMattermostStandIn,
  type MattermostStandIn,
} from '../../../test/platforms/mattermost-stand-in.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let mattermost: MattermostStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  mattermost = await startMattermostStandIn()
  bot = await world.connect({
    platform: 'mattermost',
    config: { api_url: mattermost.origin, person_channel: mattermostId('team') },
    credentials: { ...mattermost.credentials, command_token: MATTERMOST_COMMAND_TOKEN },
  })
  await world.check(bot)
  await eventually(mattermost.connections, (open) => open === 1)
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

const READING = { response_type: 'ephemeral', text: 'I am reading the documentation…' }
type Command = ReturnType<MattermostStandIn['command']>
const enter = async ({ body, headers }: Command, more: Record<string, string> = {}) => {
  const { status, text } = await world.deliver(bot, body, { ...headers, ...more })
  return { status, reply: status === 200 ? (JSON.parse(text) as unknown) : undefined }
}
const settled = async () => {
  await world.settled(bot)
  return mattermost.messages
}

verifies(
  ['bots.mattermost.command', 'bots.rating', 'hooks.once'],
  'the command is acknowledged before the model answers, answered once below its question, rated by reactions, and the next one of the same person knows of it',
  async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    world.llm.script(async (exchange) => {
      await held
      await answersFromPage()(exchange)
    })
    const command = mattermost.command(`@here *${QUESTION}*`)
    expect(await enter(command)).toEqual({ status: 200, reply: READING })
    expect(await enter(command)).toEqual({ status: 200, reply: READING })
    expect(mattermost.messages).toEqual([])
    release()
    const [answer, ...more] = await settled()
    expect(more).toEqual([])
    expect(answer).toMatchObject({ channel_id: mattermostId('help'), root_id: '', offered: ['+1', '-1'] })
    const [question, , said] = answer?.message.split('\n') ?? []
    expect(question).toBe(`> @\u200Bhere \\*${QUESTION}\\*`)
    expect(said).toContain(`${ROTATION} ([1](https://docs.example.com/keys`)
    mattermost.tell(mattermostReaction(answer?.id ?? '', '+1'))
    const votes = `select f.vote from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`
    await eventually(
      () => world.citewell.rows(votes),
      ([one]) => one?.['vote'] === 'up',
    )

    world.llm.script(answersFromPage())
    world.llm.requests.length = 0
    await enter(mattermost.command('And old ones?'))
    await settled()
    expect(JSON.stringify(world.llm.requests)).toContain(QUESTION)
  },
)

verifies(
  'bots.mattermost.command',
  'where the bot is not a member the command is answered at the address that Mattermost gave it, on the server of the bot and no other',
  async () => {
    const asked = mattermost.command(QUESTION, { channel: 'between others' })
    expect(await enter(asked)).toEqual({ status: 200, reply: READING })
    const [answer, ...more] = await settled()
    expect(more).toEqual([])
    expect(answer).toMatchObject({ channel_id: mattermostId('between others'), offered: [] })
    expect(answer?.message).toContain(ROTATION)
    expect(await world.problemOf(bot)).toBeNull()
    const paths = mattermost.requests.map(({ path }) => path).filter((path) => !path.includes('typing'))
    expect(paths).toEqual(['/api/v4/posts', expect.stringMatching(/^\/hooks\/commands\/[a-z0-9]{26}$/)])
    const [, answered] = mattermost.requests.filter(({ path }) => paths.includes(path))
    expect(answered?.headers.authorization).toBeUndefined()
  },
)

verifies(
  ['bots.mattermost.command', 'bots.problem'],
  'another token is refused; a command without words, with an unknown answer address, or of a bot that is off says so, and asks nothing; a wish for a person is passed on',
  async () => {
    mattermost.channels.add(mattermostId('team'))
    const command = mattermost.command(QUESTION)
    expect((await enter(command, { authorization: 'Token another' })).status).toBe(401)
    expect((await enter(command, { authorization: '' })).status).toBe(401)
    const { 'content-type': type = '' } = command.headers
    const inBody = async (body: string) => (await world.deliver(bot, body, { 'content-type': type })).status
    expect(await inBody(command.body.replace(MATTERMOST_COMMAND_TOKEN, 'another'))).toBe(401)
    const says = (words: string) => ({
      status: 200,
      reply: { response_type: 'ephemeral', text: expect.stringContaining(words) },
    })
    expect(await enter(mattermost.command('  '))).toEqual(says('Ask me a question'))
    const elsewhere = { ...command, body: command.body.replace(/commands%2F\w+/, 'commands%2F..') }
    expect(await enter(elsewhere)).toEqual(says('not a question that I know'))
    const patch = (fields: object) => world.citewell.json('PATCH', `/api/v1/bots/${bot}`, fields)
    await patch({ enabled: false })
    expect(await enter(command)).toEqual(says('switched off'))
    await patch({ enabled: true })
    expect(await settled()).toEqual([])

    // As old servers prove it.
    expect(await inBody(command.body)).toBe(200)
    await settled()
    expect(await enter(mattermost.command('person'))).toEqual({ status: 200, reply: READING })
    const messages = await settled()
    const told = messages.filter(({ channel_id }) => channel_id === mattermostId('team'))
    expect(told).toHaveLength(1)
    expect(told[0]?.message).toContain(QUESTION)
    expect(told[0]?.message).not.toContain('_redirect/pl/')
    expect(messages.at(-1)?.message).toContain('passed this on')
  },
)
