import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from '../../../test/platforms/bot-world.ts'
import { startFreshdeskStandIn } from '../../../test/platforms/freshdesk-stand-in.ts'
import { startFrontStandIn, US } from '../../../test/platforms/front-stand-in.ts'
import { startHelpscoutStandIn } from '../../../test/platforms/helpscout-stand-in.ts'
import { startHubspotStandIn, US as HUBSPOT_US } from '../../../test/platforms/hubspot-stand-in.ts'
import { startZendeskStandIn, type ZendeskStandIn } from '../../../test/platforms/zendesk-tickets-stand-in.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'

let rooms: TestRooms
let zendesk: ZendeskStandIn
let of: { knowledge_base_id: string; integration_id: string }
let owner: Awaited<ReturnType<TestRooms['joinWorkspace']>>
let connect: (
  platform: 'zendesk' | 'freshdesk' | 'front' | 'helpscout' | 'hubspot',
  config: Record<string, unknown>,
  credentials: Record<string, string>,
) => Promise<typeof of>

beforeAll(async () => {
  rooms = await openTestRooms()
  zendesk = await startZendeskStandIn()
  owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  connect = async (platform, config, credentials) => {
    const desk = await rooms.helpdeskIntegrations.create(owner, base.id, {
      name: 'Desk',
      enabled: true,
      config,
      platform,
      handles: 'tickets',
      credentials,
    })
    return { knowledge_base_id: base.id, integration_id: desk.id }
  }
  of = await connect('zendesk', { api_url: zendesk.apiUrl }, zendesk.credentials)
})
afterAll(async () => {
  await rooms.ticketWork.stop()
  await rooms.close()
  await zendesk[Symbol.asyncDispose]()
})

const MINUTE = 60_000
const later = (ms: number) => {
  rooms.clock.time = new Date(rooms.clock.time.getTime() + ms)
}
const ticketOf = (id: string) =>
  rooms.db.selectFrom('helpdesk_tickets').selectAll().where('ticket_id', '=', id).executeTakeFirstOrThrow()
const insert = (id: string, fields: { status: 'open' | 'posting'; due_at: Date | null }) =>
  rooms.db
    .insertInto('helpdesk_tickets')
    .values({
      ...of,
      ticket_id: id,
      thread_id: null,
      answers_given: 0,
      answering_since: null,
      reason: null,
      tries: 0,
      created_at: rooms.clock.time,
      updated_at: rooms.clock.time,
      ...fields,
    })
    .execute()
/** Takes one step of a ticket that is due. */
async function step(id: string): Promise<void> {
  const { tries } = await ticketOf(id)
  await rooms.ticketWork.look()
  await eventually(
    () => ticketOf(id),
    (ticket) => ticket.answering_since === null && (ticket.tries !== tries || ticket.due_at === null),
  )
}

verifies(
  'helpdesk-integrations.outages',
  'a help desk that cannot be read for hours is asked again, and the ticket is not forgotten',
  async () => {
    const id = zendesk.write('...')
    await insert(id, { status: 'open', due_at: rooms.clock.time })
    for (let failures = 1; failures <= 20; failures += 1) {
      zendesk.failNextRead()
      await step(id)
      const { tries, due_at: due } = await ticketOf(id)
      expect(tries).toBe(failures)
      expect((due?.getTime() ?? 0) - rooms.clock.time.getTime()).toBeLessThanOrEqual(10 * MINUTE)
      later(10 * MINUTE)
    }
    // It asks nothing: it is read, and left to people.
    await step(id)
    expect(await ticketOf(id)).toMatchObject({ status: 'unanswered', due_at: null, tries: 0 })
  },
)

verifies(
  'helpdesk-integrations.lost-posts',
  'a ticket whose answer was never stored, and whose process died while it posted, is looked at again after twenty minutes',
  async () => {
    const id = zendesk.write('...')
    await insert(id, { status: 'posting', due_at: null })
    later(19 * MINUTE)
    await rooms.ticketWork.look()
    expect(await ticketOf(id)).toMatchObject({ status: 'posting', due_at: null })
    later(2 * MINUTE)
    await rooms.ticketWork.look()
    // No answer of ours is there: it is not posted again.
    await eventually(
      () => ticketOf(id),
      ({ status }) => status === 'unanswered',
    )
  },
)

/** Help desks that are asked for changes although they have hooks, and what their stand-ins need besides. */
const ASKED = {
  freshdesk: { start: startFreshdeskStandIn, config: {} },
  front: { start: startFrontStandIn, config: { teammate: US } },
  helpscout: { start: startHelpscoutStandIn, config: {} },
  hubspot: { start: startHubspotStandIn, config: { sender: HUBSPOT_US } },
} as const

for (const [name, { start, config }] of Object.entries(ASKED))
  verifies(
    'helpdesk-integrations.outages',
    `${name}: while it cannot be read, it is asked again each minute; what customers wrote meanwhile is read then, without any delivery`,
    async () => {
      await using desk = await start()
      const platform = name as keyof typeof ASKED
      const here = await connect(platform, { api_url: desk.origin, ...config }, desk.credentials)
      const read = async () => {
        later(2 * MINUTE)
        desk.forget()
        await eventually(
          async () => {
            // Not taken while the reading before is still at its end.
            await rooms.ticketWork.look()
            return await rooms.db
              .selectFrom('helpdesk_polls')
              .selectAll()
              .where('integration_id', '=', here.integration_id)
              .execute()
          },
          // While it is read, it is taken for three minutes.
          (polls) =>
            polls.some(({ next_at: at }) => {
              const inMs = at.getTime() - rooms.clock.time.getTime()
              return inMs > 0 && inMs <= 2 * MINUTE
            }),
        )
        // A token is asked for once, and kept.
        return desk.requests.filter(({ path }) => path !== '/oauth2/token').length
      }
      expect(await read()).toBe(1)
      const id = desk.write('...')
      for (let failures = 0; failures < 20; failures += 1) {
        desk.misbehave({ status: 503, body: '' })
        expect(await read()).toBe(1)
      }
      await read()
      later(MINUTE)
      await eventually(
        async () => {
          await rooms.ticketWork.look()
          return await rooms.db
            .selectFrom('helpdesk_tickets')
            .selectAll()
            .where('integration_id', '=', here.integration_id)
            .execute()
        },
        (tickets) =>
          tickets.some(({ ticket_id: ticket, status }) => ticket === id && status === 'unanswered'),
      )
      await rooms.helpdeskIntegrations.change(owner, here.integration_id, { enabled: false })
    },
  )
