import { pauseSince } from '../pause-since.ts'
import { startWebhookWorld, type WebhookWorld } from '../webhook-world.ts'

export interface Delivered {
  status: number
  text: string
}

/** A service with a model that knows one page, and bots of any chat platform. */
export interface BotWorld extends WebhookWorld {
  /** An external base with the page. */
  baseId: string
  connect(fields: {
    platform: string
    config?: Record<string, unknown>
    credentials?: Record<string, string>
    base?: string
  }): Promise<string>
  /** Sends something to the hook of a bot. */
  deliver(botId: string, body: unknown, headers: Record<string, string>): Promise<Delivered>
  /** Waits until nothing of a bot is open: no event, no post. */
  settled(botId: string): Promise<void>
  problemOf(botId: string): Promise<string | null>
  check(botId: string): Promise<Record<string, unknown>>
  setup(botId: string): Promise<Record<string, unknown>>
}

const WAIT_MS = 20_000

/** Waits until something holds; fails after 20 s with what was found last. */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  isEnough: (found: Found) => boolean,
): Promise<Found> {
  const begunAt = Date.now()
  for (;;) {
    const found = await look()
    if (isEnough(found)) return found
    if (Date.now() > begunAt + WAIT_MS) throw new Error(`Not yet: ${JSON.stringify(found).slice(0, 2_000)}`)
    await pauseSince(begunAt)
  }
}

export async function openBotWorld(): Promise<BotWorld> {
  const world = await startWebhookWorld()
  const { citewell } = world
  const { id: baseId } = await world.makeBase()
  return {
    ...world,
    baseId,
    connect: async ({ base = baseId, config = {}, ...fields }) => {
      const path = `/api/v1/knowledge-bases/${base}/bots`
      const given = { name: 'Docs', config, acknowledge_internal: true, ...fields }
      return (await citewell.json<{ id: string }>('POST', path, given)).id
    },
    deliver: async (botId, body, headers) => {
      const response = await citewell.fetch(`/api/v1/hooks/${botId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    },
    settled: async (botId) => {
      const open = `select 1 from platform_events where integration_id = '${botId}' and status in ('received', 'handling')
        union all select 1 from platform_posts where integration_id = '${botId}' and status in ('pending', 'sending')`
      await eventually(
        () => citewell.rows(open),
        ({ length }) => length === 0,
      )
    },
    problemOf: async (botId) =>
      (await citewell.json<{ problem: { because: string } | null }>('GET', `/api/v1/bots/${botId}`)).problem
        ?.because ?? null,
    check: (botId) => citewell.json('POST', `/api/v1/bots/${botId}/check`),
    setup: (botId) => citewell.json('GET', `/api/v1/bots/${botId}/setup`),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
