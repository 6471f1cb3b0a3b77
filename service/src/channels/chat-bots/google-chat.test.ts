import { generateKeyPairSync } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { fakeLlm } from '../../../test/fake-llm.ts'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  asAddOn,
  DIRECT,
  googleChatPressed,
  googleChatSaid,
  pressedInAddOn,
  SPACE,
} from '../../../test/platforms/google-chat-said.ts'
import {
  startGoogleChatStandIn,
  type GoogleChatStandIn,
} from '../../../test/platforms/google-chat-stand-in.ts'
import { answersFromPage, OFF_TOPIC, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let google: GoogleChatStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  google = await startGoogleChatStandIn()
  bot = await connect()
})
beforeEach(() => {
  google.messages.length = 0
  google.forget()
  google.onRequest = undefined
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const connect = (given: { config?: object; credentials?: Record<string, string> } = {}) =>
  world.connect({
    platform: 'google_chat',
    credentials: google.credentials,
    ...given,
    config: { api_url: google.origin, person_channel: 'spaces/AAAteam', ...given.config },
  })
const send = (event: object, headers = google.proof()) => world.deliver(bot, event, headers)
const settled = async () => {
  await world.settled(bot)
  return google.messages
}
const ask = async (event: object) => {
  expect(await send(event)).toEqual({ status: 200, text: '{}' })
  return await settled()
}
const votes = () =>
  world.citewell.rows(
    `select f.vote, f.source from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`,
  )
/** A space that nobody has used yet: Google takes one write a second in each. */
let spaces = 0
function newSpace(fields: object = {}) {
  spaces += 1
  const name = `spaces/AAA${spaces}`
  google.spaces.add(name)
  return { ...SPACE, ...fields, name }
}

verifies(
  ['bots.google-chat.answers', 'bots.rating', 'hooks.once'],
  'a mention is acknowledged before the model answers, and answered once in its thread with links; the buttons under it rate it, the last press counts',
  async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    world.llm.script(async (exchange) => {
      await held
      await answersFromPage()(exchange)
    })
    const space = newSpace()
    const asked = googleChatSaid(QUESTION, { space })
    for (let times = 0; times < 3; times += 1) expect(await send(asked)).toEqual({ status: 200, text: '{}' })
    expect(google.messages).toEqual([])
    release()
    const [answer, ...more] = await settled()
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      space: space.name,
      thread: asked.message.thread.name,
      text: expect.stringMatching(
        /^Signing keys are rotated once a day\\?\. \(\[1\]\(https:\/\/docs\.example\.com\/keys.*\)\)\n\n\*\*Sources\*\*\n1\\\. \[Rotating signing keys\]/,
      ),
      buttons: [
        { parameters: { act: 'up' }, function: 'citewell' },
        { parameters: { act: 'down' } },
        { parameters: { act: 'person' } },
      ],
    })
    const up = googleChatPressed(answer, 'up', { space })
    await ask(up)
    expect(await votes()).toEqual([{ vote: 'up', source: 'bot' }])
    await ask(googleChatPressed(answer, 'down', { space }))
    // The same press again is a repetition, and what is no button of ours is nothing.
    await ask(up)
    await ask(googleChatPressed(undefined, 'up', { space }))
    await ask(googleChatPressed(undefined, 'x', { space }))
    expect(await votes()).toEqual([{ vote: 'down', source: 'bot' }])
    expect(google.messages).toHaveLength(1)
  },
)

verifies(
  'bots.google-chat.threads',
  'a thread is a conversation, and so are a chat with the app alone and a space without threads for half an hour',
  async () => {
    const knowsOf = async (event: object) => {
      world.llm.requests.length = 0
      await ask(event)
      return JSON.stringify(world.llm.requests).includes(QUESTION)
    }
    const space = newSpace()
    const { message } = googleChatSaid('', { space })
    await ask(googleChatSaid(QUESTION, { space, thread: message.thread }))
    expect(await knowsOf(googleChatSaid('And old ones?', { space, thread: message.thread }))).toBe(true)
    expect(await knowsOf(googleChatSaid('And old ones?', { space }))).toBe(false)
    for (const direct of [DIRECT, newSpace({ spaceThreadingState: 'UNTHREADED_MESSAGES' })]) {
      await ask(googleChatSaid(QUESTION, { space: direct, argumentText: undefined, text: QUESTION }))
      expect(await knowsOf(googleChatSaid('And old ones?', { space: direct }))).toBe(true)
      expect(google.messages.at(-1)?.thread).toBeUndefined()
    }
  },
  { timeout: 30_000, tags: ['long'] },
)

verifies(
  ['bots.google-chat.ignores', 'bots.uncovered'],
  'programs, joining and leaving, and events that are not known are no questions; who adds the app by a question is answered; a bare name gets a hint without buttons',
  async () => {
    const space = newSpace()
    const said = googleChatSaid(QUESTION, { space })
    const before = await world.citewell.rows('select 1 from platform_events')
    for (const event of [
      { ...said, type: 'REMOVED_FROM_SPACE' },
      { ...said, type: 'APP_HOME' },
      { type: 'ADDED_TO_SPACE', space, user: said['user'] },
      googleChatSaid(QUESTION, { space, sender: { name: 'users/9', type: 'BOT' } }),
      googleChatSaid(QUESTION, { space: { ...space, name: '../x' } }),
      googleChatSaid(QUESTION, { space, name: 'spaces/x/../../messages/1' }),
      { type: 'MESSAGE' },
      { chat: { messagePayload: { message: 'x' } } },
      { type: 'CARD_CLICKED', common: { parameters: { act: 'up' } } },
      [],
    ])
      expect([event, (await send(event)).status]).toEqual([event, 200])
    for (const body of ['{', '"x"', 'null'])
      expect((await world.deliver(bot, body, google.proof())).status).toBe(200)
    expect(await settled()).toEqual([])
    expect(await world.citewell.rows('select 1 from platform_events')).toHaveLength(before.length)

    expect(await ask({ ...googleChatSaid(QUESTION, { space }), type: 'ADDED_TO_SPACE' })).toHaveLength(1)
    const [, hint] = await ask(googleChatSaid(' ', { space: newSpace() }))
    expect(hint).toMatchObject({ text: expect.stringContaining('Ask me a question'), buttons: [] })
    const [, , sentence] = await ask(googleChatSaid(OFF_TOPIC, { space: newSpace() }))
    expect(sentence?.text).toContain('says nothing of cakes')
  },
)

verifies(
  'bots.google-chat.answers',
  'nobody is notified by what a page or a model says, and none of it is markup',
  async () => {
    world.llm.script(
      fakeLlm.replies(
        () => `${ROTATION} [1] <users/all> hi <https://evil.example|click> \\*not bold\\* @all`,
      ),
    )
    const [answer] = await ask(googleChatSaid(QUESTION, { space: newSpace() }))
    expect(answer?.text).toContain('\\<\u200Busers/all\\> hi')
    expect(answer?.text).not.toContain('<https')
    expect(answer?.text).toContain('\\*not bold\\*')
    expect(google.mentioned).toEqual([])
  },
)

verifies(
  ['bots.google-chat.live', 'hooks.crashes'],
  'an answer that takes time is shown by edits of the message that becomes it; one that was deleted meanwhile is followed by the answer',
  async () => {
    const seen = () => google.messages.map(({ text }) => text)
    const shown = 'Signing <\u200B!channel> keys are …'
    world.llm.script(answersWhen(() => seen().some((text) => text.includes('keys are …'))))
    const asked = googleChatSaid(QUESTION, { space: newSpace() })
    const [answer, ...more] = await ask(asked)
    expect(more).toEqual([])
    expect(answer).toMatchObject({ thread: asked.message.thread.name, edits: ['…', shown] })
    expect(answer?.text).toMatch(/rotated once a day.*\[1\]/)
    expect(answer?.buttons).toHaveLength(3)

    google.messages.length = 0
    world.llm.script(answersWhen(() => google.deleted.size > 0))
    await send(googleChatSaid(QUESTION, { space: newSpace() }))
    const [live] = await eventually(
      () => google.messages,
      ({ length }) => length === 1,
    )
    google.deleted.add(live?.name ?? '')
    const [, instead, ...none] = await settled()
    expect(none).toEqual([])
    expect(instead?.text).toMatch(/rotated once a day/)
    expect(google.mentioned).toEqual([])
    expect(await world.problemOf(bot)).toBeNull()
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  ['bots.google-chat.proof', 'hooks.proof'],
  'only a token that Google signed for the project of this bot, valid now, opens the hook: by Chat for its number, or as an add-on for its own address',
  async () => {
    const address = `${world.citewell.address}/api/v1/hooks/${bot}`
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    const asked = googleChatSaid(QUESTION, { space: newSpace() })
    const [head = '', body = ''] = google.proof()['authorization']?.split('.') ?? []
    const addOn = { iss: 'https://accounts.google.com', aud: address }
    const refused: Record<string, Record<string, string>> = {
      'an old token': google.proof({ at: hours(-1.2) }),
      'no end': google.proof({ claims: { exp: undefined } }),
      'not yet': google.proof({ claims: { nbf: Math.floor(hours(0.2).getTime() / 1_000) } }),
      'another issuer': google.proof({ claims: { iss: 'https://securetoken.google.com/x' } }),
      'another project': google.proof({ claims: { aud: '999' } }),
      'another key': google.proof({ privateKey }),
      'a key that is not published': google.proof({ header: { kid: 'x' } }),
      'the key of the other issuer': google.proof({ by: 'accounts' }),
      'no algorithm': google.proof({ header: { alg: 'none' } }),
      'no signature': { authorization: `${head}.${body}.` },
      'no token': { authorization: 'Bearer ' },
      // Whoever gives the address of this bot to an app of their own.
      'an app of another project': google.proof({
        by: 'accounts',
        claims: { ...addOn, email: 'chat@system.gserviceaccount.com', email_verified: true },
      }),
      'an add-on of another project': google.proofOfAddOn(address, {
        claims: { email: 'service-999@gcp-sa-gsuiteaddons.iam.gserviceaccount.com' },
      }),
      'an address that is not proven': google.proofOfAddOn(address, { claims: { email_verified: false } }),
      'the address of another bot': google.proofOfAddOn(address.replace(/.$/, 'x')),
      'an old token of an add-on': google.proofOfAddOn(address, { at: hours(-1.2) }),
    }
    for (const [what, headers] of Object.entries(refused))
      expect([what, (await send(asked, headers)).status]).toEqual([what, 401])
    const other = await connect({ credentials: { ...google.credentials, project_number: '999' } })
    expect((await world.deliver(other, asked, google.proof())).status).toBe(401)
    expect(google.requests.filter(({ path }) => path === '/token')).toEqual([])
    expect(google.requests.filter(({ path }) => path.includes('/jwk/')).length).toBeLessThan(3)
    expect((await send(asked)).status).toBe(200)
    const [answer] = await settled()

    const again = googleChatSaid(QUESTION, { space: newSpace() })
    await send(asAddOn(again), google.proofOfAddOn(address))
    const [, second] = await settled()
    expect(second).toMatchObject({ thread: again.message.thread.name })
    // Its buttons call the address itself.
    expect(second?.buttons.map((one) => one.function)).toEqual([address, address, address])
    expect(answer?.buttons[0]?.function).toBe('citewell')
    await send(pressedInAddOn(googleChatPressed(second, 'down')), google.proofOfAddOn(address))
    await settled()
    expect(await votes()).toContainEqual({ vote: 'down', source: 'bot' })
  },
)

verifies(
  ['bots.limits', 'bots.problem', 'hooks.crashes'],
  'a bot of Google Chat waits when there are too many, renews a token, posts once what was not confirmed, and says what is wrong',
  async () => {
    const say = async (space = newSpace()) => {
      google.messages.length = 0
      await ask(googleChatSaid(QUESTION, { space }))
      return await world.problemOf(bot)
    }
    expect(await say()).toBeNull()
    google.tokens.clear()
    expect(await say()).toBeNull()
    expect(google.messages).toHaveLength(1)

    const busy = { status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' } } }
    const onWrite = (...answers: Parameters<GoogleChatStandIn['misbehave']>) => {
      google.onRequest = ({ method }) => {
        if (method !== 'POST') return
        google.onRequest = undefined
        google.misbehave(...answers)
      }
    }
    onWrite({ ...busy, headers: { 'retry-after': '1' } }, { status: 503, body: {} })
    expect(await say()).toBeNull()
    expect(google.messages).toHaveLength(1)
    onWrite(busy)
    expect(await say()).toBeNull()
    expect(google.messages).toHaveLength(1)
    // It arrived, and Google knows it when it comes again.
    google.losesAnswer = true
    expect(await say()).toBeNull()
    expect(google.messages).toHaveLength(1)

    const left = newSpace()
    google.spaces.delete(left.name)
    expect(await say(left)).toContain('removed from the space')
    google.isEnabled = false
    expect(await say()).toContain('The Google Chat API is off')
    expect(await world.check(bot)).toMatchObject({
      is_working: false,
      problems: [expect.stringContaining('The Google Chat API is off')],
    })
    google.isEnabled = true
    expect(await say()).toBeNull()
    google.isKeyDeleted = true
    google.tokens.clear()
    expect(await say()).toContain('does not accept the key of the service account (invalid_grant)')
    expect(await world.check(bot)).toMatchObject({ is_working: false, account: null })
    google.isKeyDeleted = false
    expect(await say()).toBeNull()
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'bots.check',
  'the check names the service account, and says what is missing; the set-up has the address, and no secret',
  async () => {
    const checked = await world.check(bot)
    expect(checked).toMatchObject({
      is_working: true,
      account: 'docs@acme-docs.iam.gserviceaccount.com',
      problems: [],
    })
    const setup = await world.setup(bot)
    expect(setup).toMatchObject({
      hook_url: `${world.citewell.address}/api/v1/hooks/${bot}`,
      manifest: null,
      credentials: [
        { name: 'service_account', is_set: true },
        { name: 'project_number', is_set: true },
      ],
    })
    expect(JSON.stringify([checked, setup])).not.toContain('PRIVATE KEY')
    const bare = await world.connect({ platform: 'google_chat', config: { api_url: 'http://x.example' } })
    expect(await world.check(bare)).toMatchObject({
      problems: [
        expect.stringContaining('service_account is missing'),
        expect.stringContaining('project_number is missing'),
        expect.stringContaining('api_url'),
      ],
    })
    const damaged = JSON.stringify({
      ...(JSON.parse(google.credentials.service_account) as object),
      private_key: `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(200)}\n-----END PRIVATE KEY-----\n`,
    })
    for (const [service_account, words] of [
      ['{}', 'not the JSON key'],
      [damaged, 'is damaged'],
    ] as const) {
      const wrong = await connect({ credentials: { service_account, project_number: '1' } })
      expect(await world.check(wrong)).toMatchObject({ problems: [expect.stringContaining(words)] })
    }
    const named = await connect({
      credentials: { ...google.credentials, project_number: 'acme-docs' },
      config: { person_channel: 'Help' },
    })
    expect(await world.check(named)).toMatchObject({
      problems: [expect.stringContaining('is no number'), expect.stringContaining('person_channel')],
    })
  },
)

verifies(
  'bots.person',
  'a button under an answer, or the word, passes a conversation of Google Chat on once, with a link to its thread',
  async () => {
    const space = newSpace()
    const asked = googleChatSaid(QUESTION, { space })
    const thread = asked.message.thread.name
    const [answer] = await ask(asked)
    await ask(googleChatPressed(answer, 'person', { space, thread }))
    await ask(googleChatPressed(answer, 'person', { space, thread }))
    const [, told, said, again, ...more] = google.messages
    expect(more).toEqual([])
    expect(told).toMatchObject({ space: 'spaces/AAAteam', thread: undefined })
    expect(told?.text).toContain('Ada \\[L\\] asks for a person')
    expect(told?.text).toContain(
      `(https://chat.google.com/room/${space.name.split('/')[1]}/${thread.split('/')[3]})`,
    )
    expect(told?.text).toContain('rotated once a day')
    expect(said?.text).toContain('passed this on')
    expect(again?.text).toContain('told already')
  },
  { tags: ['long'] },
)
