import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { telegramSaid } from '../../../test/platforms/telegram-said.ts'
import { startTelegramStandIn, type TelegramStandIn } from '../../../test/platforms/telegram-stand-in.ts'
import { QUESTION } from '../../../test/webhook-world.ts'

let world: BotWorld
let telegram: TelegramStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  telegram = await startTelegramStandIn()
  bot = await world.connect({
    platform: 'telegram',
    config: { api_url: telegram.origin },
    credentials: telegram.credentials,
  })
  await heard()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
})

/** Ends as soon as the bot listens. */
async function heard(): Promise<void> {
  await world.check(bot)
  await eventually(telegram.reception.polls, (open) => open === 1)
}
/** Everything that was said is fetched, confirmed and answered. */
async function settled() {
  await eventually(telegram.reception.waiting, (left) => left === 0)
  await world.settled(bot)
  return telegram.messages
}

verifies(
  ['bots.telegram.connection', 'bots.problem', 'bots.check'],
  'what is said while nobody listens is fetched later; a webhook of before is ended; a second reader and a revoked token are on the record until they are gone; the token is in no record',
  async () => {
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
    await world.check(bot)
    telegram.reception.pollElsewhere()
    await eventually(telegram.reception.polls, (open) => open === 0)
    telegram.reception.tell(telegramSaid(QUESTION))
    telegram.reception.webhook = { url: 'https://old.example', secret: 'x', allowed: [] }
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: true })
    await heard()
    expect(await settled()).toHaveLength(1)
    telegram.commands = ['settings']
    telegram.onRequest = ({ path }) => {
      if (!path.endsWith('/setMyCommands')) return
      telegram.onRequest = undefined
      telegram.misbehave({ status: 400, body: { ok: false, description: 'Bad Request' } })
    }
    expect(await world.check(bot)).toMatchObject({
      is_working: false,
      problems: ['Telegram did not take the command /ask (HTTP 400). Try again.'],
    })
    await heard()
    expect(telegram.commands).toEqual(['settings', 'ask'])
    expect(telegram.reception.webhook.url).toBe('')
    expect((await world.deliver(bot, telegramSaid(QUESTION), {})).status).toBe(401)

    telegram.isRevoked = true
    telegram.reception.pollElsewhere()
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem?.includes('does not accept the bot token') === true,
    )
    expect(await world.check(bot)).toMatchObject({ is_working: false, account: null, hook_url: null })
    telegram.isRevoked = false
    await heard()
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem === null,
    )
    for (let ended = 0; ended < 4; ended += 1) {
      await eventually(telegram.reception.polls, (open) => open === 1)
      telegram.reception.pollElsewhere()
    }
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem?.includes('to one reader at a time') === true,
    )
    const checked = await world.check(bot)
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem === null,
    )
    // A wait of weeks is no timer of a machine.
    telegram.onRequest = ({ path }) => {
      if (!path.endsWith('/getUpdates')) return
      telegram.onRequest = undefined
      const parameters = { retry_after: 4_000_000 }
      telegram.misbehave({ status: 429, body: { ok: false, description: 'Too Many Requests', parameters } })
    }
    telegram.reception.pollElsewhere()
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem?.includes('asked for them too often') === true,
    )
    await heard()
    await eventually(
      () => world.problemOf(bot),
      (problem) => problem === null,
    )
    expect(checked).toMatchObject({ is_working: true, account: '@docs_bot', problems: [] })
    const setup = await world.setup(bot)
    expect(setup).toMatchObject({
      hook_url: null,
      manifest: null,
      credentials: [{ name: 'bot_token', is_set: true }],
    })
    expect(JSON.stringify([checked, setup])).not.toContain('stand_in_token')

    const bare = await world.connect({ platform: 'telegram', config: { api_url: 'http://x.example' } })
    expect(await world.check(bare)).toMatchObject({
      problems: [expect.stringContaining('bot_token is missing'), expect.stringContaining('api_url')],
    })
    telegram.forget()
    const wrong = await world.connect({
      platform: 'telegram',
      config: { api_url: telegram.origin, receive_by: 'carrier pigeon', person_channel: 'the team' },
      credentials: { bot_token: '../../getMe?x=' },
    })
    expect(await world.check(wrong)).toMatchObject({
      is_working: false,
      problems: [
        expect.stringContaining('does not accept the bot token'),
        expect.stringContaining('receive_by'),
        expect.stringContaining('person_channel'),
      ],
    })
    expect(telegram.requests.filter(({ path }) => path.includes('getMe'))).toEqual([])
  },
  { timeout: 60_000, tags: ['long'] },
)
