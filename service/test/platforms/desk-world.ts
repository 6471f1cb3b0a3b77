import { pauseSince } from '../pause-since.ts'
import { startWebhookWorld, type WebhookWorld } from '../webhook-world.ts'

/** A ticket as it is stored. */
export interface StoredTicket {
  status: string
  reason: string | null
  answers_given: number
}

export interface DeskWorld extends WebhookWorld {
  /** A base with a page about signing keys, and a webhook of both events of tickets. */
  baseId: string
  /** Connects a help desk. Tickets are handled as soon as they are known. */
  connect(fields: {
    platform: string
    config: Record<string, unknown>
    credentials: Record<string, string>
    base?: string
    handles?: 'tickets' | 'chats'
  }): Promise<string>
  /** Has the help desk asked for changes, where it tells none; throws unless it is connected. */
  look(integrationId: string): Promise<void>
  ticket(integrationId: string, ticketId: string): Promise<StoredTicket | undefined>
  /** Tickets that wait to be read, with the time: it is another one when something has happened to them again. */
  waiting(integrationId: string): Promise<Map<string, unknown>>
  /** Makes the next step of a ticket due, instead of waiting for it. */
  hasten(ticketId: string): Promise<void>
  /** How much of what was delivered was taken as something that happened to a ticket. */
  eventsTaken(integrationId: string): Promise<number>
  /** Waits until a ticket has this status, and nothing of it is open. */
  becomes(integrationId: string, ticketId: string, status: string): Promise<StoredTicket>
  /** Waits until nothing is due, in work or to be posted. */
  settled(integrationId: string): Promise<void>
  /** The events of an integration that webhooks were told, in their order. */
  eventsOf(integrationId: string): Promise<{ event: string; ticket: string; reason?: string }[]>
  /** Those of one ticket, each with its reason behind it. */
  toldOf(integrationId: string, ticket: string): Promise<string[]>
  problemOf(integrationId: string): Promise<string | null>
}

const WAIT_MS = 30_000

export async function openDeskWorld(): Promise<DeskWorld> {
  const world = await startWebhookWorld()
  const { citewell } = world
  const { id: baseId } = await world.makeBase()
  await world.listen(baseId, ['ticket.deflected', 'ticket.escalated'])
  const path = (id: string) => `/api/v1/helpdesk-integrations/${id}`

  async function ticket(integrationId: string, ticketId: string): Promise<StoredTicket | undefined> {
    const [row] = await citewell.rows(
      `select status, reason, answers_given from helpdesk_tickets where integration_id = '${integrationId}' and ticket_id = '${ticketId}'`,
    )
    // The columns above.
    return row as StoredTicket | undefined
  }

  async function settled(integrationId: string): Promise<void> {
    const begunAt = Date.now()
    const open = `select 1 from helpdesk_tickets where integration_id = '${integrationId}' and (due_at is not null or answering_since is not null)
      union all select 1 from platform_posts where integration_id = '${integrationId}' and status in ('pending', 'sending')
      union all select 1 from platform_events where integration_id = '${integrationId}' and status in ('received', 'handling')`
    while ((await citewell.rows(open)).length > 0) {
      if (Date.now() > begunAt + WAIT_MS) throw new Error('Something of the help desk stays open.')
      await pauseSince(begunAt)
    }
  }

  const eventsOf: DeskWorld['eventsOf'] = async (id) => {
    const rows = await citewell.rows(
      `select event, body from webhook_deliveries where knowledge_base_id = '${baseId}' order by created_at, id`,
    )
    return rows
      .map(({ event, body }) => ({
        event: String(event),
        data: (JSON.parse(String(body)) as { data: Record<string, string> }).data,
      }))
      .filter(({ data }) => data['integration_id'] === id)
      .map(({ event, data: { ticket_id: about = '', reason } }) => ({
        event,
        ticket: about,
        ...(reason !== undefined && { reason }),
      }))
  }

  return {
    ...world,
    baseId,
    connect: async ({ base = baseId, platform, config, credentials, handles = 'tickets' }) => {
      const made = await citewell.json<{ id: string }>(
        'POST',
        `/api/v1/knowledge-bases/${base}/helpdesk-integrations`,
        { name: 'Desk', platform, handles, config: { quiet_seconds: 0, ...config }, credentials },
      )
      return made.id
    },
    look: async (id) => {
      const check = await citewell.json<{ is_working: boolean; problems: string[] }>(
        'POST',
        `${path(id)}/check`,
      )
      if (!check.is_working) throw new Error(check.problems.join(' '))
    },
    ticket,
    waiting: async (id) => {
      const rows = await citewell.rows(
        `select ticket_id, due_at from helpdesk_tickets where integration_id = '${id}' and due_at is not null`,
      )
      return new Map(rows.map((row) => [String(row['ticket_id']), row['due_at']]))
    },
    hasten: async (ticketId) => {
      await citewell.rows(
        `update helpdesk_tickets set due_at = date_trunc('milliseconds', now()) where ticket_id = '${ticketId}'`,
      )
    },
    eventsTaken: async (id) =>
      (await citewell.rows(`select 1 from platform_events where integration_id = '${id}'`)).length,
    becomes: async (integrationId, ticketId, status) => {
      const begunAt = Date.now()
      for (;;) {
        const found = await ticket(integrationId, ticketId)
        if (found?.status === status) {
          await settled(integrationId)
          return found
        }
        if (Date.now() > begunAt + WAIT_MS)
          throw new Error(`Ticket ${ticketId} did not become ${status}: ${JSON.stringify(found)}`)
        await pauseSince(begunAt)
      }
    },
    settled,
    eventsOf,
    toldOf: async (id, about) =>
      (await eventsOf(id))
        .filter(({ ticket: one }) => one === about)
        .map(({ event, reason }) => (reason === undefined ? event : `${event} ${reason}`)),
    problemOf: async (id) =>
      (await citewell.json<{ problem: { because: string } | null }>('GET', path(id))).problem?.because ??
      null,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
