import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openChatwoot,
  openFreshdesk,
  openFront,
  openHelpscout,
  openHubspot,
  openIntercom,
  openZammad,
} from '../../../../test/platforms/desks-alone.ts'
import { ADA } from '../../../../test/platforms/helpscout-stand-in.ts'
import { ADA as HUBSPOT_ADA } from '../../../../test/platforms/hubspot-stand-in.ts'

type Opened<Open> = Open extends () => Promise<infer One> ? One : never
interface Desks {
  chatwoot: Opened<typeof openChatwoot>
  freshdesk: Opened<typeof openFreshdesk>
  front: Opened<typeof openFront>
  helpscout: Opened<typeof openHelpscout>
  hubspot: Opened<typeof openHubspot>
  intercom: Opened<typeof openIntercom>
  zammad: Opened<typeof openZammad>
}
let all: Desks

/** A ticket that a customer just wrote, and how the team takes it before its answer is posted. */
interface Taken {
  desk: keyof Desks
  what: string
  /** What the owner chose. */
  config?: Record<string, unknown>
  write(): string
  take(id: string): void
  answersOf(id: string): string[]
}

beforeAll(async () => {
  all = {
    chatwoot: await openChatwoot(),
    freshdesk: await openFreshdesk(),
    front: await openFront(),
    helpscout: await openHelpscout(),
    hubspot: await openHubspot(),
    intercom: await openIntercom(),
    zammad: await openZammad(),
  }
})
afterAll(async () => {
  for (const one of Object.values(all)) await one[Symbol.asyncDispose]()
})

/** Ways to take a ticket of one help desk, each of which changes fields of it as it is there. */
function waysOf<Name extends keyof Desks>(
  desk: Name,
  config: Record<string, unknown>,
  recordOf: (standIn: Desks[Name]['standIn'], id: string) => object,
  ways: Record<string, object>,
  write = (standIn: Desks[Name]['standIn']) => standIn.write('How?'),
): Taken[] {
  const standIn = () => all[desk].standIn
  return Object.entries(ways).map(([what, fields]) => ({
    desk,
    what,
    config,
    write: () => write(standIn()),
    take: (id) => void Object.assign(recordOf(standIn(), id), fields),
    answersOf: (id) => standIn().answersOf(id),
  }))
}

const TAKEN: Taken[] = [
  ...waysOf(
    'freshdesk',
    { groups: '42' },
    (standIn, id) => standIn.ticket(id),
    {
      'moved to another group': { group_id: 43 },
      'taken out of its group': { group_id: null },
      'marked as spam': { spam: true },
      'made a call': { source: 3 },
      resolved: { status: 4 },
    },
    (standIn) => standIn.write('How?', { group: 42 }),
  ),
  ...waysOf('front', { inboxes: 'inb_help' }, (standIn, id) => standIn.chat(id), {
    'moved to another inbox': { inbox: 'inb_people' },
    'given to a teammate': { assignee: { id: 'tea_ada' } },
    archived: { status: 'archived' },
    resolved: { status_category: 'resolved' },
  }),
  ...waysOf('zammad', { groups: 'Users' }, (standIn, id) => standIn.ticket(id), {
    'moved to another group': { group: 'People' },
    closed: { state: 'closed' },
  }),
  ...waysOf('hubspot', { inboxes: '11' }, (standIn, id) => standIn.thread(id), {
    'moved to another inbox': { inboxId: '12' },
    'marked as spam': { spam: true },
    'given to a user': { assignedTo: HUBSPOT_ADA },
    closed: { status: 'CLOSED' },
  }),
  ...waysOf('helpscout', { inboxes: '11' }, (standIn, id) => standIn.chat(id), {
    'moved to another inbox': { mailboxId: 12 },
    'given to a user': { assignee: ADA },
    closed: { status: 'closed' },
  }),
  ...waysOf('chatwoot', {}, (standIn, id) => standIn.chat(id), {
    'given to an agent': { assignee: { id: 6, name: 'Ada' }, assigneeType: 'User' },
    opened: { status: 'open' },
  }),
  ...waysOf('intercom', {}, (standIn, id) => standIn.chat(id), {
    'given to a teammate': { admin_assignee_id: '7002' },
    closed: { state: 'closed' },
  }),
]

/** Somebody with an address. */
const US_IN_ZAMMAD = 5
const REPLY = { do: 'reply', text: 'Rotate it.' } as const

test.each(TAKEN)(
  'an answer in $desk is not posted if its ticket was $what while it was written',
  async ({ desk: name, config, write, take, answersOf }) => {
    const { desk, account } = all[name]
    const id = write()
    const before = await desk.ticket(id, account(config))
    expect(before).toMatchObject({ isOpen: true, isOurs: true })
    take(id)
    const after = await desk.ticket(id, account(config))
    // Otherwise it would not matter.
    expect([after?.isOpen, after?.isOurs]).toContain(false)
    expect(await desk.post(id, REPLY, before?.etag ?? '', account(config))).toEqual({ is: 'stale' })
    expect(answersOf(id)).toEqual([])
  },
)

test.each(
  [
    waysOf('freshdesk', {}, (standIn, id) => standIn.ticket(id), { '': { requester_id: 9_999 } }),
    waysOf('zammad', {}, (standIn, id) => standIn.ticket(id), { '': { customer_id: US_IN_ZAMMAD } }),
    waysOf('helpscout', {}, (standIn, id) => standIn.chat(id), {
      '': { primaryCustomer: { id: 9_999, type: 'customer', email: 'eve@mail.example' } },
    }),
  ].flat(),
)(
  'an answer in $desk does not go to another customer, whose ticket it became while it was written',
  async ({ desk: name, config, write, take, answersOf }) => {
    const { desk, account } = all[name]
    const id = write()
    const { etag = '' } = (await desk.ticket(id, account(config))) ?? {}
    take(id)
    expect(await desk.post(id, REPLY, etag, account(config))).toEqual({ is: 'stale' })
    expect(answersOf(id)).toEqual([])
  },
)

test('an answer in a ticket that nobody took is posted', async () => {
  for (const { desk: name, config, write, answersOf } of TAKEN) {
    const { desk, account } = all[name]
    const id = write()
    const { etag = '' } = (await desk.ticket(id, account(config))) ?? {}
    expect(await desk.post(id, REPLY, etag, account(config))).toMatchObject({ is: 'posted' })
    expect(answersOf(id)).toHaveLength(1)
  }
})
