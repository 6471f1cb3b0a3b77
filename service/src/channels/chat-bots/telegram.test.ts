import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { GROUP, telegramPressed, telegramSaid } from '../../../test/platforms/telegram-said.ts'
import { startTelegramStandIn, type TelegramStandIn } from '../../../test/platforms/telegram-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let telegram: TelegramStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  telegram = await startTelegramStandIn()
  bot = await world.connect({
    platform: 'telegram',
    config: { api_url: telegram.origin, person_channel: '-100300' },
    credentials: telegram.credentials,
  })
  await heard()
})
beforeEach(() => {
  telegram.messages.length = 0
  telegram.drafts.length = 0
  telegram.confirmed.length = 0
  telegram.forget()
  telegram.onRequest = undefined
  world.llm.script(answersFromPage())
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
async function settled(id = bot) {
  await eventually(telegram.reception.waiting, (left) => left === 0)
  await world.settled(id)
  return telegram.messages
}
const votes = () =>
  world.citewell.rows(
    `select f.vote, f.source from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`,
  )
const eventsOf = (id: string) =>
  world.citewell.rows(`select status from platform_events where integration_id = '${id}'`)

/** A group that nobody has used yet: Telegram counts what is sent into each. */
let groups = 0
const newGroup = (fields: object = {}) => {
  groups += 1
  return { ...GROUP, id: -100_000_000_000 - groups, ...fields }
}

verifies(
  ['bots.telegram.answers', 'bots.rating'],
  'a mention in a group is fetched from Telegram and answered by a silent reply with links; the buttons under it rate it, the last press counts',
  async () => {
    const chat = newGroup()
    const asked = telegramSaid(`@Docs_Bot ${QUESTION}`, { chat })
    telegram.reception.tell(asked)
    const [answer, ...more] = await settled()
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      chat_id: String(chat.id),
      text: `${ROTATION} [1]\n\nSources\n1. Rotating signing keys`,
      replyTo: asked.message.message_id,
      isSilent: true,
      entities: [
        { type: 'text_link', offset: 37, length: 3, url: expect.stringContaining('docs.example.com/keys') },
        { type: 'bold', offset: 42, length: 7 },
        { type: 'text_link', offset: 53, length: 21, url: expect.stringContaining('docs.example.com/keys') },
      ],
    })
    expect(telegram.typing).toContain(String(chat.id))
    const [up, down, person] = answer?.buttons ?? []
    expect(person).toBe('person')
    const press = telegramPressed(up, answer, chat)
    telegram.reception.tell(press)
    telegram.reception.tell(press)
    await eventually(votes, ({ length }) => length === 1)
    expect(await votes()).toEqual([{ vote: 'up', source: 'bot' }])
    telegram.reception.tell(telegramPressed(down, answer, chat))
    await eventually(votes, ([one]) => one?.['vote'] === 'down')
    // No answer of this base, and no button of ours.
    telegram.reception.tell(telegramPressed('up:0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', answer, chat))
    telegram.reception.tell(telegramPressed('x', answer, chat))
    telegram.reception.tell(telegramPressed(undefined, answer, chat))
    await settled()
    expect(await votes()).toHaveLength(1)
    await eventually(
      () => telegram.confirmed,
      ({ length }) => length === 5,
    )
    expect(telegram.confirmed[0]).toEqual({ id: press.callback_query.id, text: 'Thank you.' })
    expect(telegram.commands).toEqual(['settings', 'ask'])
  },
)

verifies(
  ['bots.telegram.conversations', 'hooks.once'],
  'in a chat with the bot alone no name is needed and the next question knows the last; a topic of a group is a conversation of its own; what comes twice is answered once',
  async () => {
    const asked = telegramSaid(QUESTION)
    telegram.reception.tell(asked)
    const [first] = await settled()
    expect(first).toMatchObject({ chat_id: '501', replyTo: undefined, isSilent: false })
    const knowsOf = async (update: ReturnType<typeof telegramSaid>) => {
      world.llm.requests.length = 0
      telegram.reception.tell(update)
      await settled()
      return JSON.stringify(world.llm.requests).includes(QUESTION)
    }
    const next = telegramSaid('And old ones?')
    expect(await knowsOf(next)).toBe(true)
    telegram.reception.tell(next)
    telegram.reception.tell(asked)
    expect(await settled()).toHaveLength(2)

    const chat = newGroup({ is_forum: true })
    const inTopic = { chat, is_topic_message: true, message_thread_id: 12 }
    expect(await knowsOf(telegramSaid(`/ask ${QUESTION}`, inTopic))).toBe(true)
    expect(await knowsOf(telegramSaid('/ask@docs_bot And old ones?', inTopic))).toBe(true)
    expect(await knowsOf(telegramSaid('/ask And old ones?', { ...inTopic, message_thread_id: 13 }))).toBe(
      false,
    )
    expect(telegram.messages.slice(2).map(({ thread }) => thread)).toEqual([12, 12, 13])
    expect(telegram.typing).toContain(`${chat.id}:13`)
    // A thread of replies is no topic, and goes with its group. An answer of the bot is a reply to whoever answers it.
    const answer = telegram.messages.at(-1)
    const reply = { message_id: answer?.message_id, from: { id: telegram.bot.id } }
    const replied = telegramSaid('And very old ones?', {
      chat,
      message_thread_id: 99,
      reply_to_message: reply,
    })
    expect(await knowsOf(replied)).toBe(false)
    expect(telegram.messages.at(-1)).toMatchObject({
      thread: undefined,
      replyTo: replied.message.message_id,
    })
  },
  { tags: ['long'] },
)

verifies(
  'bots.telegram.ignores',
  'edits, old messages, those of programs and channels, those that do not name it, commands of others and events of groups are no questions',
  async () => {
    const chat = newGroup()
    const words = `@docs_bot ${QUESTION}`
    const before = await eventsOf(bot)
    const said = telegramSaid(words, { chat })
    const hours = (count: number) => Math.floor(Date.now() / 1_000) - count * 3_600
    for (const update of [
      { update_id: said.update_id, edited_message: said.message },
      { update_id: telegramSaid('').update_id, channel_post: said.message },
      telegramSaid(words, { chat, date: hours(1.1) }),
      telegramSaid(words, { chat, from: { id: 9, is_bot: true, first_name: 'Other' } }),
      telegramSaid(words, { chat, via_bot: { id: 9 } }),
      telegramSaid(words, { chat, forward_origin: { type: 'user', date: 1, sender_user: { id: 7 } } }),
      telegramSaid(words, { chat, sender_chat: { id: -100_9 } }),
      telegramSaid(words, { chat, from: { id: 777_000, is_bot: false }, is_automatic_forward: true }),
      telegramSaid(QUESTION, { chat }),
      telegramSaid(`@docs_bots ${QUESTION}`, { chat }),
      telegramSaid(`x@docs_bot ${QUESTION}`, { chat }),
      telegramSaid(`/ask@other_bot ${QUESTION}`, { chat }),
      telegramSaid(`/settings ${QUESTION}`, { chat }),
      telegramSaid('/start', { chat }),
      telegramSaid(QUESTION, { chat, reply_to_message: { from: { id: 9 } } }),
      // The first message of a topic is what others there reply to.
      telegramSaid(QUESTION, {
        chat,
        reply_to_message: { from: { id: telegram.bot.id }, forum_topic_created: {} },
      }),
      telegramSaid('', { chat, text: undefined, new_chat_members: [{ id: telegram.bot.id }] }),
      telegramSaid(words, { chat: { id: '../x', type: 'supergroup' } }),
      telegramSaid(words, { chat, entities: [{ type: 'mention', offset: -1, length: 2 }] }),
      { update_id: telegramSaid('').update_id, message: 'x' },
    ])
      telegram.reception.tell(update)
    // One that is answered, from a clock that is ahead, and by an administrator who writes as the group.
    const anonymous = { sender_chat: { id: chat.id }, from: { id: 1_087_968_824, is_bot: true } }
    telegram.reception.tell(telegramSaid(words, { chat, date: hours(-1), ...anonymous }))
    expect(await settled()).toHaveLength(1)
    expect(await eventsOf(bot)).toHaveLength(before.length + 1)
  },
)

verifies(
  'bots.telegram.answers',
  'words below a picture are a question, too; a greeting and a bare name get a hint; a question that is not covered gets a sentence without buttons',
  async () => {
    const chat = newGroup()
    const caption = `@docs_bot ${QUESTION}`
    const caption_entities = [{ type: 'mention', offset: 0, length: 9 }]
    telegram.reception.tell(
      telegramSaid('', { chat, text: undefined, entities: undefined, caption, caption_entities }),
    )
    telegram.reception.tell(
      telegramSaid(`${QUESTION} Docs`, {
        chat,
        entities: [{ type: 'text_mention', offset: 37, length: 4, user: { id: telegram.bot.id } }],
      }),
    )
    expect((await settled()).map(({ text }) => text.slice(0, 10))).toEqual(['Signing ke', 'Signing ke'])
    telegram.messages.length = 0
    telegram.reception.tell(telegramSaid('/start'))
    telegram.reception.tell(telegramSaid('@docs_bot', { chat }))
    for (const { text, buttons } of await settled()) {
      expect(text).toContain('Ask me a question')
      expect(buttons).toEqual([])
    }
    expect(telegram.messages).toHaveLength(2)
    telegram.reception.tell(telegramSaid(OFF_TOPIC))
    expect((await settled()).at(-1)?.text).toContain('says nothing of cakes')
  },
)

verifies(
  'bots.telegram.answers',
  'nobody is notified by what a page or a model says, and nothing of it is markup or a command to Telegram',
  async () => {
    const words = `*${ROTATION}* [1] Ask @ada_l, <a href="tg://user?id=501">Ada</a> or [her](tg://user?id=501): \`npm i @ada_l/x\``
    world.llm.script(fakeLlm.replies(() => words))
    telegram.reception.tell(telegramSaid(`/ask ${QUESTION}`, { chat: newGroup() }))
    const [answer] = await settled()
    expect(answer?.text).toContain(
      `${ROTATION} [1] Ask @\u200Bada_l, <a href="tg://user?id=501">Ada</a> or her: npm i @ada_l/x`,
    )
    expect(answer?.entities.map(({ type, url }) => url ?? type)).toEqual([
      'italic',
      expect.stringContaining('docs.example.com'),
      'code',
      'bold',
      expect.stringContaining('docs.example.com'),
    ])
    expect(telegram.mentioned).toEqual([])
  },
)

verifies(
  'bots.telegram.live',
  'in a chat with the bot alone an answer that takes time is a draft, and in a group a message that is edited until it is the answer; neither notifies anybody',
  async () => {
    const drafts = () => telegram.drafts.flatMap(({ texts }) => texts)
    const beginning = 'Ask @ada_l.\n\nSigning keys are '
    world.llm.script(answersWhen(() => drafts().length > 1, { beginning }))
    telegram.reception.tell(telegramSaid(QUESTION))
    const [answer, ...more] = await settled()
    expect(more).toEqual([])
    expect(answer?.text).toContain('rotated once a day. [1]')
    expect(answer?.edits).toEqual([])
    expect(telegram.drafts).toHaveLength(1)
    expect(drafts().slice(0, 2)).toEqual(['Writing an answer…', 'Ask @\u200Bada_l.\n\nSigning keys are'])

    telegram.messages.length = 0
    const seen = () => telegram.messages.map(({ text }) => text)
    const live = 'Ask @\u200Bada_l.\n\nSigning keys are …'
    world.llm.script(answersWhen(() => seen().includes(live), { beginning }))
    const asked = telegramSaid(`/ask ${QUESTION}`, { chat: newGroup() })
    telegram.reception.tell(asked)
    const [edited, ...others] = await settled()
    expect(others).toEqual([])
    expect(edited).toMatchObject({
      replyTo: asked.message.message_id,
      isSilent: true,
      edits: ['…', live],
      buttons: [expect.stringMatching(/^up:/), expect.stringMatching(/^down:/), 'person'],
    })
    expect(edited?.text).toContain('Sources')
    expect(telegram.mentioned).toEqual([])

    // A server without drafts.
    telegram.hasDrafts = false
    telegram.messages.length = 0
    world.llm.script(answersWhen(() => seen().includes(live), { beginning }))
    telegram.reception.tell(telegramSaid(QUESTION))
    expect(await settled()).toMatchObject([{ edits: ['…', live] }])
    telegram.hasDrafts = true

    // Somebody deletes the message meanwhile: the answer is a new one.
    telegram.messages.length = 0
    world.llm.script(answersWhen(() => telegram.deleted.size > 0, { beginning }))
    telegram.reception.tell(telegramSaid(`/ask ${QUESTION}`, { chat: newGroup() }))
    const [shown] = await eventually(
      () => telegram.messages,
      ({ length }) => length === 1,
    )
    telegram.deleted.add(shown?.message_id ?? 0)
    const [, instead, ...none] = await settled()
    expect(none).toEqual([])
    expect(instead?.text).toContain('rotated once a day. [1]')
    expect(await world.problemOf(bot)).toBeNull()
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['bots.limits', 'bots.problem', 'hooks.crashes'],
  'a bot of Telegram waits as long as it is told to, does not repeat what may have arrived, repeats the end of what was shown live, follows a group that moved, and says what is wrong',
  async () => {
    const ask = async (chat: object = newGroup()) => {
      telegram.messages.length = 0
      telegram.reception.tell(telegramSaid(`/ask ${QUESTION}`, { chat }))
      await settled()
      return await world.problemOf(bot)
    }
    const onMethod = (method: string, act: () => void) => {
      telegram.onRequest = ({ path }) => {
        if (!path.endsWith(`/${method}`)) return
        telegram.onRequest = undefined
        act()
      }
    }
    const busy = {
      status: 429,
      body: { ok: false, error_code: 429, description: 'Too Many', parameters: { retry_after: 1 } },
    }
    onMethod('sendMessage', () => telegram.misbehave(busy))
    const before = performance.now()
    expect(await ask()).toBeNull()
    expect(performance.now() - before).toBeGreaterThan(990)
    expect(telegram.messages).toHaveLength(1)

    telegram.losesAnswer = true
    expect(await ask()).toContain('may or may not have been posted')
    expect(telegram.messages).toHaveLength(1)
    onMethod('sendMessage', () => telegram.misbehave({ status: 502, body: '<html>Bad Gateway</html>' }))
    expect(await ask()).toContain('may or may not have been posted')
    expect(telegram.messages).toHaveLength(0)

    const problems = {
      blocked: 'has blocked the bot',
      kicked: 'Add it under the members of the group',
      'read only': 'Make the bot an administrator',
      'closed topic': 'closed or deleted',
    } as const
    for (const [bar, words] of Object.entries(problems)) {
      const chat = newGroup()
      telegram.barred.set(String(chat.id), bar as keyof typeof problems)
      expect([bar, await ask(chat)]).toEqual([bar, expect.stringContaining(words)])
    }
    const moved = newGroup()
    telegram.barred.set(String(moved.id), 'moved')
    expect(await ask(moved)).toBeNull()
    expect(telegram.messages).toMatchObject([{ chat_id: '-100777', replyTo: undefined }])

    // A question that was deleted before its answer.
    const gone = telegramSaid(`/ask ${QUESTION}`, { chat: newGroup() })
    telegram.deleted.add(gone.message.message_id)
    telegram.reception.tell(gone)
    expect((await settled()).at(-1)).toMatchObject({ replyTo: undefined })

    // An edit that was not confirmed is made again, and shows the answer once.
    telegram.messages.length = 0
    const seen = () => telegram.messages.map(({ text }) => text)
    world.llm.script(
      answersWhen(() => seen().includes('Signing keys are …'), { beginning: 'Signing keys are ' }),
    )
    onMethod('editMessageText', () => onMethod('editMessageText', () => (telegram.losesAnswer = true)))
    telegram.reception.tell(telegramSaid(`/ask ${QUESTION}`, { chat: newGroup() }))
    expect(await settled()).toMatchObject([{ edits: ['…', 'Signing keys are …'] }])
    expect(await world.problemOf(bot)).toBeNull()
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'bots.person',
  'a button under an answer, or the word, passes a conversation of Telegram on once, with a link to where it is read',
  async () => {
    const chat = newGroup({ id: -100_123 })
    telegram.reception.tell(telegramSaid(`/ask ${QUESTION}`, { chat }))
    const [answer] = await settled()
    telegram.reception.tell(telegramPressed('person', answer, chat))
    await settled()
    telegram.reception.tell(telegramPressed('person', answer, chat))
    const [, told, said, again, ...more] = await settled()
    expect(more).toEqual([])
    expect(told).toMatchObject({ chat_id: '-100300', replyTo: undefined })
    expect(told?.text).toContain('Ada [L] asks for a person: open the conversation')
    expect(told?.text).toContain(ROTATION)
    expect(told?.entities).toContainEqual(
      expect.objectContaining({ type: 'text_link', url: `https://t.me/c/123/${answer?.message_id}` }),
    )
    expect(said?.text).toContain('passed this on')
    expect(again?.text).toContain('told already')
    telegram.reception.tell(telegramSaid('person'))
    await settled()
    expect(telegram.messages.filter(({ chat_id: id }) => id === '-100300')).toHaveLength(2)
  },
  { tags: ['long'] },
)
