import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { GROUP, telegramPressed, telegramSaid } from '../../../test/platforms/telegram-said.ts'
import { startTelegramStandIn, type TelegramStandIn } from '../../../test/platforms/telegram-stand-in.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let telegram: TelegramStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  telegram = await startTelegramStandIn({ token: '5151:AAF-stand_in_token_of_35_characters' })
  bot = await world.connect({
    platform: 'telegram',
    config: { api_url: telegram.origin, receive_by: 'hook' },
    credentials: telegram.credentials,
  })
})
beforeEach(() => {
  telegram.messages.length = 0
  telegram.forget()
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
})

const SECRET = 'x-telegram-bot-api-secret-token'
const send = (update: object, secret = telegram.reception.webhook.secret) =>
  world.deliver(bot, update, { [SECRET]: secret })

verifies(
  ['bots.telegram.webhook', 'hooks.once'],
  'the check sets the webhook with a secret of its own; what Telegram sends with it is acknowledged before the model answers, and answered once; it is asked for nothing',
  async () => {
    const hookUrl = `${world.citewell.address}/api/v1/hooks/${bot}`
    expect(await world.check(bot)).toMatchObject({
      is_working: true,
      account: '@docs_bot',
      hook_url: hookUrl,
    })
    expect(telegram.reception.webhook).toMatchObject({ url: hookUrl, allowed: ['message', 'callback_query'] })
    expect(telegram.reception.webhook.secret).toMatch(/^5151-docs_bot-[0-9a-f]{64}$/)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    world.llm.script(async (exchange) => {
      await held
      await answersFromPage()(exchange)
    })
    const asked = telegramSaid(`@docs_bot ${QUESTION}`, { chat: GROUP })
    const later = telegramSaid(`@docs_bot ${QUESTION} Again?`, { chat: GROUP })
    // Out of order, and again, as after a failure.
    for (const update of [later, asked, later, asked])
      expect(await send(update)).toEqual({ status: 200, text: '{}' })
    expect(telegram.messages).toEqual([])
    release()
    await world.settled(bot)
    expect(telegram.messages).toMatchObject([
      { replyTo: later.message.message_id, text: expect.stringContaining(ROTATION) },
      { replyTo: asked.message.message_id },
    ])
    const press = telegramPressed(telegram.messages[0]?.buttons[0], telegram.messages[0], GROUP)
    const { text } = await send(press)
    expect(JSON.parse(text)).toEqual({
      method: 'answerCallbackQuery',
      callback_query_id: press.callback_query.id,
      text: 'Thank you.',
    })
    await world.settled(bot)
    const votes = `select f.vote from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`
    expect(await world.citewell.rows(votes)).toEqual([{ vote: 'up' }])
    expect(telegram.requests.filter(({ path }) => path.endsWith('getUpdates'))).toEqual([])

    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: false })
    const off = JSON.parse(
      (await send(telegramPressed('person', telegram.messages[0], GROUP))).text,
    ) as object
    expect(off).toMatchObject({ method: 'answerCallbackQuery', text: 'This bot is switched off.' })
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { enabled: true })
  },
)

verifies(
  ['bots.telegram.webhook', 'hooks.proof'],
  'without its secret, with that of another bot, or with another name in it nothing is taken; a new token makes the old secret worthless',
  async () => {
    const other = await startTelegramStandIn({ token: '6161:AAF-another_token_of_35_characters_' })
    const there = await world.connect({
      platform: 'telegram',
      config: { api_url: other.origin, receive_by: 'hook' },
      credentials: other.credentials,
    })
    await world.check(there)
    const { secret } = telegram.reception.webhook
    const asked = telegramSaid(QUESTION)
    for (const wrong of [
      '',
      'x',
      other.reception.webhook.secret,
      other.reception.webhook.secret.replace(/^6161/, '5151'),
      secret.replace('docs_bot', 'docs_bat'),
      secret.slice(0, -1),
      `${secret}0`,
      secret.toUpperCase(),
    ])
      expect([wrong, (await send(asked, wrong)).status]).toEqual([wrong, 401])
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, {
      credentials: { bot_token: '5151:AAF-the_next_token_of_35_characters' },
    })
    expect((await send(asked)).status).toBe(401)
    await world.citewell.json('PATCH', `/api/v1/bots/${bot}`, { credentials: telegram.credentials })
    for (const body of ['{', '[]', '"x"', '{"update_id":"x"}', '{"update_id":1,"message":{"chat":{}}}'])
      expect([body, (await world.deliver(bot, body, { [SECRET]: secret })).status]).toEqual([body, 200])
    await world.settled(bot)
    expect(telegram.messages).toEqual([])
    await other[Symbol.asyncDispose]()
  },
)

verifies(
  ['bots.check', 'bots.problem'],
  'the check says that an address is not taken, and what Telegram met when it sent there',
  async () => {
    telegram.reception.takesHttp = false
    expect(await world.check(bot)).toMatchObject({
      is_working: false,
      account: '@docs_bot',
      problems: [expect.stringContaining('has to be an https address')],
    })
    telegram.reception.takesHttp = true
    telegram.failure = { at: Date.now(), because: 'Connection timed out' }
    expect(await world.check(bot)).toMatchObject({
      problems: [expect.stringContaining('within the last hour: Connection timed out')],
    })
    telegram.failure.at -= 2 * 3_600_000
    expect(await world.check(bot)).toMatchObject({ is_working: true, problems: [] })
  },
)
