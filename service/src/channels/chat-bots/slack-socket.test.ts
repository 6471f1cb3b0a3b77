import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { textOfMessage } from '../../../test/platforms/slack-message-rules.ts'
import { SLACK_APP_TOKEN, SLACK_OTHER_APP_TOKEN } from '../../../test/platforms/slack-stand-in.ts'
import { openSlackWorld, slackMention, type SlackWorld } from '../../../test/platforms/slack-world.ts'
import { QUESTION, ROTATION } from '../../../test/webhook-world.ts'

let world: SlackWorld

beforeAll(async () => {
  world = await openSlackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

verifies(
  'bots.slack.socket',
  'with an app-level token the bot hears Slack over a connection of its own: events are acknowledged when they are stored, answered once, and the connection comes back',
  async () => {
    const { slack, citewell } = world
    const { bot_token } = slack.credentials
    const bot = await world.connect({ credentials: { bot_token, app_token: SLACK_APP_TOKEN } })
    const check = () => citewell.json<object>('POST', `/api/v1/bots/${bot.id}/check`)
    expect(await check()).toMatchObject({ is_working: true, problems: [], hook_url: null })
    expect(await citewell.json('GET', `/api/v1/bots/${bot.id}/setup`)).toMatchObject({
      hook_url: null,
      manifest: { settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } } },
    })
    await eventually(slack.connections, (open) => open === 1)
    const asked = slackMention(QUESTION, { ts: '1950.1' })
    const first = slack.tell('events_api', asked)
    const again = slack.tell('events_api', asked)
    const unknown = slack.tell('events_api', { type: 'event_callback', event: { type: 'surprise' } })
    await eventually(
      () => slack.acknowledged,
      ({ length }) => length === 3,
    )
    expect(new Set(slack.acknowledged)).toEqual(new Set([first, again, unknown]))
    const [post] = await slack.waitForPosts(1)
    expect(post && textOfMessage(post)).toContain(ROTATION)
    await world.settled(bot.id)
    expect(slack.posts).toHaveLength(1)

    const buttons = post?.blocks.at(-1)
    const [element] = buttons?.type === 'context_actions' ? buttons.elements : []
    slack.disconnect()
    await eventually(slack.connections, (open) => open === 0)
    await eventually(slack.connections, (open) => open === 1)
    slack.tell('interactive', {
      type: 'block_actions',
      user: { id: 'U1' },
      actions: [{ action_id: 'citewell_rating', action_ts: '1.1', value: element?.positive_button.value }],
    })
    await eventually(
      () => citewell.rows(`select vote from feedback where source = 'bot'`),
      (votes) => votes.length === 1,
    )
    // Its hook stays closed: it has no signing secret.
    expect((await world.deliver(bot.id, asked)).status).toBe(401)

    const refused = await world.connect({
      credentials: { bot_token: 'xoxb-other', app_token: 'xapp-withdrawn' },
    })
    await citewell.json('POST', `/api/v1/bots/${refused.id}/check`)
    const problem = await eventually(
      async () =>
        (await citewell.json<{ problem: { because: string } | null }>('GET', `/api/v1/bots/${refused.id}`))
          .problem,
      (found) => found !== null,
    )
    expect(problem?.because).toContain('connections:write')
  },
)

verifies(
  'bots.slack.socket',
  'of two bots of one app only the first hears Slack, which tells each event to any one connection: no other base answers by chance',
  async () => {
    const { slack, citewell } = world
    const { bot_token } = slack.credentials
    const base = await world.makeBase({})
    const connect = async (app_token: string) => {
      const { id } = await world.connect({ base, credentials: { bot_token, app_token } })
      await citewell.json('POST', `/api/v1/bots/${id}/check`)
      return await citewell.json<{ problem: { because: string } | null }>('GET', `/api/v1/bots/${id}`)
    }
    for (const token of [SLACK_APP_TOKEN, SLACK_OTHER_APP_TOKEN])
      expect((await connect(token)).problem?.because).toContain('same token')
    expect(slack.connections()).toBe(1)
  },
)
