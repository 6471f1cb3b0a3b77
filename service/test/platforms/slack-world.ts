import { pauseSince } from '../pause-since.ts'
import { startSlackStandIn, type SlackStandIn } from './slack-stand-in.ts'
import { startWebhookWorld, type WebhookWorld } from '../webhook-world.ts'
import type { TestService } from '../start-service.ts'

type Fields = Record<string, unknown>

export interface SlackWorld extends AsyncDisposable {
  citewell: TestService
  llm: WebhookWorld['llm']
  slack: SlackStandIn
  /** Makes a base with a page about signing keys. Returns its id. */
  makeBase(fields: object): Promise<string>
  /** Connects a bot of the stand-in to a base. */
  connect(given?: { base?: string; config?: object; credentials?: object }): Promise<{ id: string }>
  mention(words: string, fields: Fields): Fields
  direct(words: string, fields: Fields): Fields
  /** Sends an event to a bot, signed; headers override those of the signature. */
  deliver(
    botId: string,
    event: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>
  click(botId: string, value: string, user: string): Promise<{ status: number; text: string }>
  /** Waits until nothing of a bot is open: no event, no post. */
  settled(botId: string): Promise<void>
}

/** A service, a model that knows one page, and a Slack to connect bots to. */
export async function openSlackWorld(): Promise<SlackWorld> {
  const world = await startWebhookWorld()
  const slack = await startSlackStandIn()
  return { ...slackTools(world, slack), ...disposal(world, slack) }
}

const disposal = (world: WebhookWorld, slack: SlackStandIn): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => {
    await world[Symbol.asyncDispose]()
    await slack[Symbol.asyncDispose]()
  },
})

let events = 0

/** An event as Slack sends it. */
export function slackEvent(event: Fields): Fields {
  events += 1
  return {
    token: 'deprecated',
    team_id: 'T0ACME',
    api_app_id: 'A0APP',
    type: 'event_callback',
    event_id: `Ev${events}`,
    event_time: 1_700_000_000,
    authorizations: [{ team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true }],
    event: { team: 'T0ACME', user: 'U0ASKER', event_ts: '1700.1', ...event },
  }
}

export const slackMention = (words: string, fields: Fields): Fields =>
  slackEvent({ type: 'app_mention', channel: 'C0HELP', text: `<@U0BOT> ${words}`, ...fields })

export async function deliverToBot(
  citewell: Pick<TestService, 'fetch'>,
  slack: SlackStandIn,
  botId: string,
  event: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const contentType = typeof event === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await citewell.fetch(`/api/v1/hooks/${botId}`, {
    method: 'POST',
    headers: { ...slack.sign(body, { contentType }), ...headers },
    body,
  })
  return { status: response.status, text: await response.text() }
}

function slackTools(world: WebhookWorld, slack: SlackStandIn): Omit<SlackWorld, keyof AsyncDisposable> {
  const { citewell, llm } = world
  let firstBase: string | undefined
  const makeBase = async (fields: object) => (await world.makeBase(fields)).id
  const deliver: SlackWorld['deliver'] = (botId, event, headers) =>
    deliverToBot(citewell, slack, botId, event, headers)
  return {
    citewell,
    llm,
    slack,
    makeBase,
    deliver,
    connect: async ({ base, config = {}, credentials = slack.credentials } = {}) => {
      firstBase ??= await makeBase({})
      return await citewell.json<{ id: string }>(
        'POST',
        `/api/v1/knowledge-bases/${base ?? firstBase}/bots`,
        {
          name: 'Help',
          platform: 'slack',
          config: { api_url: slack.apiUrl, ...config },
          credentials,
          acknowledge_internal: true,
        },
      )
    },
    mention: slackMention,
    direct: (words, fields) =>
      slackEvent({ type: 'message', channel: 'D0DIRECT', channel_type: 'im', text: words, ...fields }),
    click: (botId, value, user) => {
      events += 1
      const payload = {
        type: 'block_actions',
        user: { id: user, username: 'ada' },
        trigger_id: `trigger-${events}`,
        channel: { id: 'C0HELP' },
        actions: [
          {
            type: 'feedback_buttons',
            action_id: 'citewell_rating',
            block_id: 'b',
            value,
            action_ts: `${events}.1`,
          },
        ],
      }
      return deliver(botId, new URLSearchParams({ payload: JSON.stringify(payload) }).toString())
    },
    settled: async (botId) => {
      const open = `select 1 from platform_events where integration_id = '${botId}' and status in ('received', 'handling')
        union all select 1 from platform_posts where integration_id = '${botId}' and status in ('pending', 'sending')`
      const begunAt = Date.now()
      while ((await citewell.rows(open)).length > 0) {
        if (Date.now() > begunAt + 20_000) throw new Error('Something of the bot stays open.')
        await pauseSince(begunAt)
      }
    },
  }
}
