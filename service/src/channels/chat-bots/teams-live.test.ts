import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { answersWhen } from '../../../test/platforms/answers-when.ts'
import { eventually, openBotWorld, type BotWorld } from '../../../test/platforms/bot-world.ts'
import {
  startTeamsStandIn,
  teamsFeedback,
  teamsMention,
  teamsPersonal,
  type TeamsStandIn,
} from '../../../test/platforms/teams-stand-in.ts'
import { answersFromPage, QUESTION } from '../../../test/webhook-world.ts'

let world: BotWorld
let teams: TeamsStandIn
let bot: string

beforeAll(async () => {
  world = await openBotWorld()
  teams = await startTeamsStandIn()
  bot = await world.connect({
    platform: 'teams',
    credentials: teams.credentials,
    config: { api_url: teams.origin },
  })
})
beforeEach(() => {
  teams.messages.length = 0
  teams.streams.reset()
  teams.forget()
  teams.onRequest = undefined
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await teams[Symbol.asyncDispose]()
})

const ALONE = 'a:1personal'
const BEGINNING = 'Signing keys are '
const ANSWER = 'Signing keys are rotated once a day. [1]'
const seen = () => teams.streams.all.flatMap((stream) => stream.seen)
const send = async (activity: object) =>
  expect(await world.deliver(bot, activity, teams.proof())).toEqual({ status: 200, text: '{}' })
/** Requests that the answer took, without those about tokens and keys. */
const requests = () =>
  teams.requests
    .filter(({ path }) => path.includes('/activities'))
    .map(({ method, body }) => {
      const { type, entities } = body as { type: string; entities?: { streamType?: string }[] }
      return `${method} ${entities?.find(({ streamType }) => streamType !== undefined)?.streamType ?? type}`
    })
/** Lets nothing happen for so many milliseconds. */
function delay(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
const answered = async () => {
  await world.settled(bot)
  return teams.messages.map(({ text, id, edits }) => ({ text, id, edits }))
}

verifies(
  'bots.teams.live',
  'in a chat with the bot alone an answer that takes time is a stream of Teams: an update, pieces a second apart that each contain the last, and the answer with its citations and feedback',
  async () => {
    world.llm.script(answersWhen(() => seen().length > 2, { beginning: BEGINNING, meanwhile: 'always ' }))
    // The first request of the stream is slow: Teams counts from when it has arrived.
    teams.onRequest = ({ body }) => {
      if (JSON.stringify(body ?? '').includes('"informative"')) delay(200)
    }
    await send(teamsPersonal(teams, QUESTION))
    await world.settled(bot)
    const [stream, ...others] = teams.streams.all
    expect(others).toEqual([])
    expect(stream).toMatchObject({
      conversation: ALONE,
      informed: ['Writing an answer…'],
      seen: [
        expect.stringMatching(/^Signing keys are( always)*$/),
        expect.stringMatching(/^Signing keys are( always)+$/),
        expect.stringMatching(/^Signing keys are( always)+$/),
      ],
      isOver: true,
    })
    const pauses = stream?.at.slice(1).map((at, before) => at - (stream.at[before] ?? 0)) ?? []
    expect(Math.min(...pauses)).toBeGreaterThan(950)
    const [message, ...more] = teams.messages
    expect(more).toEqual([])
    expect(message).toMatchObject({
      id: stream?.id,
      text: expect.stringMatching(/^Signing keys are( always)+ rotated once a day\. \[1\]$/),
      entities: [{ additionalType: ['AIGeneratedContent'], citation: [{ position: 1 }] }],
      channelData: { feedbackLoop: { type: 'default' } },
      edits: [],
    })
    expect(requests()).toEqual([
      'POST typing',
      'POST informative',
      'POST streaming',
      'POST streaming',
      'POST streaming',
      'POST final',
    ])
    await send(teamsFeedback(teams, { conversation: ALONE, id: message?.id ?? '' }, 'like'))
    await world.settled(bot)
    const votes = `select f.vote from feedback f join platform_posts p on p.message_id = f.message_id where p.integration_id = '${bot}'`
    expect(await world.citewell.rows(votes)).toEqual([{ vote: 'up' }])

    // An answer that is written at once is posted at once.
    teams.forget()
    world.llm.script(answersFromPage())
    await send(teamsPersonal(teams, QUESTION))
    await world.settled(bot)
    expect(requests()).toEqual(['POST typing', 'POST message'])
  },
  { tags: ['long'] },
)

verifies(
  'bots.teams.live',
  'what was shown is no tag, and an answer that reads otherwise replaces it by an edit of the same message',
  async () => {
    world.llm.script(answersWhen(() => seen().length > 0))
    await send(teamsPersonal(teams, QUESTION))
    expect(await answered()).toEqual([
      {
        id: teams.streams.all[0]?.id,
        text: expect.stringMatching(/^Signing `<!channel>` keys are +rotated once a day\. \[1\]$/),
        edits: ['Signing `<\u200B!channel>` keys are'],
      },
    ])
    expect(requests().slice(-2)).toEqual(['POST final', 'PUT message'])
  },
  { tags: ['long'] },
)

verifies(
  'bots.teams.live',
  'in a channel, and where Teams has no streams, a message is posted and edited until it is the answer',
  async () => {
    const shown = () => teams.messages.map(({ text }) => text)
    const asked = teamsMention(teams, QUESTION)
    world.llm.script(answersWhen(() => shown().includes('Signing keys are …'), { beginning: BEGINNING }))
    await send(asked)
    expect(await answered()).toEqual([
      {
        id: expect.any(String),
        text: expect.stringMatching(/^Signing keys are +rotated once a day\. \[1\]$/),
        edits: ['…', 'Signing keys are …'],
      },
    ])
    expect(teams.messages[0]?.conversation).toBe((asked['conversation'] as { id: string }).id)
    expect(requests()).toEqual(['POST typing', 'POST message', 'PUT message', 'PUT message'])
    expect(teams.streams.all).toEqual([])

    teams.messages.length = 0
    teams.streams.areAllowed = false
    world.llm.script(answersWhen(() => shown().includes('Signing keys are …'), { beginning: BEGINNING }))
    await send(teamsPersonal(teams, QUESTION))
    expect(await answered()).toMatchObject([{ edits: ['…', 'Signing keys are …'] }])
  },
  { tags: ['long'] },
)

verifies(
  ['bots.teams.live', 'hooks.crashes'],
  'a stream that Teams ended, or whose end was not confirmed, becomes the answer once; one that a dead process showed is followed by the answer; one that was stopped stays as it is',
  async () => {
    const ask = async (happens: () => void, given = {}) => {
      teams.messages.length = 0
      teams.streams.reset()
      let isOver = false
      world.llm.script(answersWhen(() => isOver, given))
      await send(teamsPersonal(teams, QUESTION))
      await eventually(seen, ({ length }) => length > 0)
      happens()
      isOver = true
      const messages = await answered()
      return messages.map(({ text, id }) => [text.replaceAll(/ +/g, ' '), id === teams.streams.all[0]?.id])
    }
    const inPlace = [[ANSWER, true]]
    const timedOut = await ask(
      () => {
        teams.streams.lastMs = 0
      },
      { beginning: BEGINNING },
    )
    expect(timedOut).toEqual(inPlace)

    const unconfirmed = await ask(
      () => {
        teams.losesAnswer = true
      },
      { beginning: BEGINNING },
    )
    expect(unconfirmed).toEqual(inPlace)

    // The next process does not know what was shown.
    const again = `update platform_events set status = 'received', claim = null, claimed_at = null where status = 'handling'`
    const ofTheDead = await ask(() => void world.citewell.storage.execute(again))
    expect(ofTheDead).toEqual([[expect.stringContaining('rotated once a day. [1]'), false]])

    expect(await ask(() => teams.streams.stop())).toEqual([])
    expect(await world.problemOf(bot)).toBeNull()
    const posts = await world.citewell.rows(
      `select distinct status from platform_posts where integration_id = '${bot}'`,
    )
    expect(posts).toEqual([{ status: 'posted' }])
  },
  { timeout: 60_000, tags: ['long'] },
)
