import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openBotWorld, eventually, type BotWorld } from '../../../test/platforms/bot-world.ts'
import { startDiscordStandIn, type DiscordStandIn } from '../../../test/platforms/discord-stand-in.ts'
import {
  mattermostId,
  mattermostPosted,
  startMattermostStandIn,
  type MattermostStandIn,
} from '../../../test/platforms/mattermost-stand-in.ts'
import { signAsDiscord } from '../../../test/platforms/platform-proofs.ts'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { startSlackStandIn, type SlackStandIn } from '../../../test/platforms/slack-stand-in.ts'
import { deliverToBot, slackMention } from '../../../test/platforms/slack-world.ts'
import { startTeamsStandIn, teamsMention, type TeamsStandIn } from '../../../test/platforms/teams-stand-in.ts'
import { startZendeskStandIn, type ZendeskStandIn } from '../../../test/platforms/zendesk-tickets-stand-in.ts'
import { answersFromPage, QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: BotWorld
let slack: SlackStandIn
let teams: TeamsStandIn
let discord: DiscordStandIn
let mattermost: MattermostStandIn
let zendesk: ZendeskStandIn

beforeAll(async () => {
  world = await openBotWorld()
  slack = await startSlackStandIn()
  teams = await startTeamsStandIn()
  discord = await startDiscordStandIn()
  mattermost = await startMattermostStandIn()
  zendesk = await startZendeskStandIn()
})
beforeEach(() => {
  slack.reset()
  slack.channels.add('C0TEAM')
  world.llm.script(answersFromPage())
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  for (const standIn of [slack, teams, discord, mattermost, zendesk]) await standIn[Symbol.asyncDispose]()
})

const onSlack = (config: object) =>
  world.connect({
    platform: 'slack',
    config: { api_url: slack.apiUrl, ...config },
    credentials: slack.credentials,
  })
let presses = 0
/** A press on the button for a person, under the answer in a thread. */
const press = (bot: string, thread: string, actionTs?: string) => {
  presses += 1
  const payload = {
    type: 'block_actions',
    user: { id: 'U0ASKER', username: 'ada_[l]' },
    channel: { id: 'C0HELP' },
    message: { ts: `${thread}9`, thread_ts: thread },
    actions: [
      {
        type: 'button',
        action_id: 'citewell_person',
        value: 'person',
        action_ts: actionTs ?? `${presses}.5`,
      },
    ],
  }
  const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  return deliverToBot(world.citewell, slack, bot, form)
}
const handOvers = (bot: string) =>
  world.citewell.rows(`select conversation, target from platform_hand_overs where integration_id = '${bot}'`)

verifies(
  'bots.person',
  'in Slack the button under an answer passes the conversation on to the channel that the owner named, once, however often it is pressed',
  async () => {
    const bot = await onSlack({ person_channel: 'C0TEAM' })
    await deliverToBot(world.citewell, slack, bot, slackMention(QUESTION, { ts: '1900.1' }))
    const [answer] = await slack.waitForPosts(1)
    expect(JSON.stringify(answer?.blocks)).toContain('"action_id":"citewell_person"')
    await world.settled(bot)
    const pressed = await Promise.all([
      press(bot, '1900.1', '7.1'),
      press(bot, '1900.1', '7.1'),
      press(bot, '1900.1'),
    ])
    expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200])
    await world.settled(bot)
    const told = slack.posts.filter(({ channel }) => channel === 'C0TEAM')
    expect(told).toHaveLength(1)
    expect(told[0]).not.toHaveProperty('thread_ts')
    const text = told[0] === undefined ? '' : textOfMessage(told[0])
    expect(text).toContain('ada_[l] asks for a person')
    expect(text).toContain(QUESTION)
    expect(text).toContain(ROTATION)
    expect(JSON.stringify(told[0]?.blocks)).toContain('https://acme.slack.com/archives/C0HELP/p19001')
    const replies = slack.posts.filter(({ thread_ts }) => thread_ts === '1900.1').map(textOfMessage)
    expect(replies.slice(1)).toEqual([
      expect.stringContaining('passed this on'),
      expect.stringContaining('told already'),
    ])
    expect(await handOvers(bot)).toEqual([{ conversation: 'C0HELP:1900.1', target: 'C0TEAM' }])
    // The word does the same as the button.
    await deliverToBot(world.citewell, slack, bot, slackMention('Talk to a human!', { ts: '1901.1' }))
    await world.settled(bot)
    expect(await handOvers(bot)).toHaveLength(2)
  },
)

verifies(
  'bots.person',
  'instead of a channel a ticket is opened by a help-desk integration of the same base; without any, nobody is promised',
  async () => {
    const desks = `/api/v1/knowledge-bases/${world.baseId}/helpdesk-integrations`
    const desk = await world.citewell.json<{ id: string }>('POST', desks, {
      name: 'Desk',
      platform: 'zendesk',
      config: { api_url: zendesk.apiUrl },
      credentials: zendesk.credentials,
    })
    const bot = await onSlack({ person_helpdesk: desk.id })
    await deliverToBot(world.citewell, slack, bot, slackMention(QUESTION, { ts: '1910.1' }))
    await slack.waitForPosts(1)
    await world.settled(bot)
    await press(bot, '1910.1')
    await press(bot, '1910.1')
    await world.settled(bot)
    const opened = await eventually(zendesk.opened, ({ length }) => length > 0)
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({
      subject: 'Somebody asked for a person in Docs',
      tags: ['citewell-escalated'],
      comments: [{ public: false, plain_body: expect.stringContaining(QUESTION) }],
    })
    // A person takes it: it is no question of a customer.
    expect(
      await world.citewell.rows(`select 1 from helpdesk_tickets where integration_id = '${desk.id}'`),
    ).toEqual([])

    const elsewhere = await onSlack({ person_helpdesk: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10' })
    const none = await onSlack({})
    for (const [at, id] of [elsewhere, none].entries()) {
      slack.posts.length = 0
      await press(id, `191${at + 1}.1`)
      await slack.waitForPosts(1)
      await world.settled(id)
      expect(slack.posts.map(textOfMessage)).toEqual([expect.stringContaining('Nobody is set up here')])
      expect(await handOvers(id)).toEqual([])
    }
    slack.posts.length = 0
    await deliverToBot(world.citewell, slack, none, slackMention('person', { ts: '1913.1' }))
    await slack.waitForPosts(1)
    expect(JSON.stringify(slack.posts)).not.toContain('citewell_person')
  },
  { tags: ['long'] },
)

verifies(
  'bots.person',
  'in Teams and Mattermost the word passes a conversation on, and answers say so; in Discord a button does',
  async () => {
    const onTeams = await world.connect({
      platform: 'teams',
      config: { api_url: teams.origin, person_channel: '19:team@thread.tacv2' },
      credentials: teams.credentials,
    })
    const asked = teamsMention(teams, QUESTION)
    await world.deliver(onTeams, asked, teams.proof())
    await world.settled(onTeams)
    expect(teams.messages[0]?.text).toContain('the one word “person”')
    const { conversation } = asked
    await world.deliver(onTeams, teamsMention(teams, 'person', { conversation }), teams.proof())
    await world.settled(onTeams)
    const inTeam = teams.messages.filter((message) => message.conversation === '19:team@thread.tacv2')
    expect(inTeam).toHaveLength(1)
    expect(inTeam[0]).not.toHaveProperty('replyToId')
    expect(inTeam[0]?.text).toContain(ROTATION)
    expect(teams.messages.at(-1)?.text).toContain('passed this on')

    mattermost.channels.add(mattermostId('team'))
    const there = await world.connect({
      platform: 'mattermost',
      config: { api_url: mattermost.origin, person_channel: mattermostId('team') },
      credentials: mattermost.credentials,
    })
    await world.check(there)
    await eventually(mattermost.connections, (open) => open === 1)
    const question = mattermostPosted(`@docs ${QUESTION} @channel`)
    mattermost.tell(question)
    await eventually(
      () => mattermost.messages,
      ({ length }) => length === 1,
    )
    await world.settled(there)
    mattermost.tell(mattermostPosted('@docs person', { fields: { root_id: question.id } }))
    await eventually(
      () => mattermost.messages,
      ({ length }) => length === 3,
    )
    const told = mattermost.messages.find(({ channel_id }) => channel_id === mattermostId('team'))
    expect(told?.root_id).toBe('')
    expect(told?.message).toContain('ada asks for a person')
    expect(told?.message).toContain(`${mattermost.origin}/_redirect/pl/${question.id}`)
    expect(told?.message).not.toContain('@channel')

    const onDiscord = await world.connect({
      platform: 'discord',
      config: { api_url: discord.apiUrl, person_channel: '4242' },
      credentials: discord.credentials,
    })
    const interaction = (fields: object) => {
      presses += 1
      const token = `person-${presses}`
      discord.expect(token)
      const body = {
        id: String(70_000 + presses),
        application_id: discord.applicationId,
        token,
        version: 1,
        guild_id: '1',
        channel: { id: '77', type: 0 },
        member: { user: { username: 'ada', global_name: 'Ada *L*' } },
        ...fields,
      }
      return { token, body: JSON.stringify(body) }
    }
    const send = async ({ body }: { body: string }) =>
      (await world.deliver(onDiscord, body, signAsDiscord(body, 'stand-in', new Date()))).text
    const command = interaction({
      type: 2,
      data: { id: '8', name: 'ask', type: 1, options: [{ name: 'question', type: 3, value: QUESTION }] },
    })
    await send(command)
    await world.settled(onDiscord)
    const [, row] = discord.shown.get(command.token)?.[0]?.components ?? []
    const customId = row?.components[0]?.custom_id
    expect(customId).toMatch(/^person:interaction \d+$/)
    const clicks = [0, 1].map(() =>
      interaction({ type: 3, data: { custom_id: customId, component_type: 2 } }),
    )
    for (const click of clicks) {
      expect(JSON.parse(await send(click))).toEqual({ type: 5 })
      await world.settled(onDiscord)
    }
    expect(discord.inChannels.get('4242')).toHaveLength(1)
    const inTeamChannel = JSON.stringify(discord.inChannels.get('4242'))
    expect(inTeamChannel).toContain('discord.com/channels/1/77')
    expect(inTeamChannel).toMatch(/Ada .{0,4}\*L.{0,4}\* asks for a person/)
    const said = clicks.map(({ token }) => discord.shown.get(token)?.[0]?.embeds[0]?.description)
    expect(said).toEqual([expect.stringContaining('passed this on'), expect.stringContaining('told already')])
  },
  { tags: ['long'] },
)

verifies(
  'bots.person',
  'nobody is promised before the team was told: if the post does not arrive, who asked reads that, and may ask again',
  async () => {
    const bot = await onSlack({ person_channel: 'C0ELSEWHERE' })
    await press(bot, '1920.1')
    await slack.waitForPosts(1)
    await world.settled(bot)
    expect(slack.posts.map(textOfMessage)).toEqual([expect.stringContaining('could not reach the team')])
    expect(await handOvers(bot)).toEqual([])
    expect(await world.problemOf(bot)).toContain('channel')

    slack.channels.add('C0ELSEWHERE')
    slack.posts.length = 0
    await press(bot, '1920.1')
    await slack.waitForPosts(2)
    await world.settled(bot)
    expect(slack.posts.map(({ channel }) => channel)).toEqual(['C0ELSEWHERE', 'C0HELP'])
    expect(slack.posts.map(textOfMessage)[1]).toContain('passed this on')
    expect(await handOvers(bot)).toHaveLength(1)

    // It arrived, and the answer was lost: nobody knows.
    slack.posts.length = 0
    slack.misbehave('chat.postMessage', { is: 'hangs-up-after-posting' })
    await press(bot, '1921.1')
    await slack.waitForPosts(2)
    await world.settled(bot)
    expect(slack.posts.map(textOfMessage)[1]).toContain('do not know whether it arrived')
    expect(await handOvers(bot)).toHaveLength(2)
  },
)

verifies(
  'bots.person',
  'strangers cannot flood the team: one bot passes 30 conversations on in an hour, and says so to the next',
  async () => {
    const bot = await onSlack({ person_channel: 'C0TEAM' })
    await world.citewell.rows(`insert into platform_hand_overs
      select knowledge_base_id, id, 'C0HELP:' || n, 'C0TEAM', now() from integrations, generate_series(1, 30) n where id = '${bot}'`)
    await press(bot, '1930.1')
    await slack.waitForPosts(1)
    await world.settled(bot)
    expect(slack.posts.map(textOfMessage)).toEqual([expect.stringContaining('Too many people')])
    await world.citewell.rows(
      `update platform_hand_overs set created_at = now() - interval '2 hours' where integration_id = '${bot}'`,
    )
    slack.posts.length = 0
    await press(bot, '1930.1')
    await slack.waitForPosts(2)
    expect(slack.posts[0]?.channel).toBe('C0TEAM')
  },
  { tags: ['long'] },
)

verifies('bots.person', 'the check of a bot says what is wrong with the choice of who is told', async () => {
  const problemsOf = async (config: object) => (await world.check(await onSlack(config)))['problems']
  expect(await problemsOf({ person_channel: 'C0TEAM' })).toEqual([])
  expect(await problemsOf({ person_channel: '#support' })).toEqual([
    expect.stringContaining('person_channel is not the id of a channel'),
  ])
  for (const person_helpdesk of ['Desk', '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'])
    expect(await problemsOf({ person_helpdesk })).toEqual([
      expect.stringContaining('person_helpdesk is not the id'),
    ])
})

verifies(
  'bots.person',
  'a bot that is deleted while its hand-over waits at a help desk leaves nothing that cannot be ended',
  async () => {
    const { citewell, baseId } = world
    const path = `/api/v1/knowledge-bases/${baseId}/helpdesk-integrations`
    const given = {
      name: 'Desk',
      platform: 'zendesk',
      config: { api_url: zendesk.apiUrl },
      credentials: zendesk.credentials,
    }
    const desk = await citewell.json<{ id: string }>('POST', path, given)
    const bot = await onSlack({ person_helpdesk: desk.id })
    const before = zendesk.opened().length
    // The desk answers later than the bot is there.
    await citewell.json('PATCH', `/api/v1/helpdesk-integrations/${desk.id}`, {
      config: { api_url: 'https://127.0.0.1:9' },
    })
    await press(bot, '1940.1')
    await eventually(
      () =>
        citewell.rows(`select 1 from platform_posts where integration_id = '${desk.id}' and attempts > 0`),
      ({ length }) => length > 0,
    )
    await citewell.send('DELETE', `/api/v1/bots/${bot}`)
    await citewell.json('PATCH', `/api/v1/helpdesk-integrations/${desk.id}`, {
      config: { api_url: zendesk.apiUrl },
    })
    await eventually(
      () => citewell.rows(`select status from platform_posts where integration_id = '${desk.id}'`),
      (rows) => rows.every(({ status }) => status === 'posted' || status === 'failed'),
    )
    expect(zendesk.opened().length - before).toBeLessThanOrEqual(1)
  },
)
