import { expect, test } from 'vitest'
import { openFreshdesk, openFront, openHelpscout } from '../../../../test/platforms/desks-alone.ts'
import type { DeskAccount, HelpDesk } from '../help-desk.ts'

/** More has happened than one reading of a help desk lists, or it goes on happening while it is read. */

/** Reads so often, and returns what was told, in order. */
async function readOn(
  desk: HelpDesk,
  account: DeskAccount,
  given: { cursor: string | undefined; times: number; before?: (reading: number) => void },
): Promise<{ told: string[]; cursor: string | undefined }> {
  const told: string[] = []
  let { cursor } = given
  for (let reading = 1; reading <= given.times; reading += 1) {
    given.before?.(reading)
    const read = await desk.changes?.(cursor, account)
    cursor = read?.cursor
    told.push(...(read?.ticketIds ?? []))
  }
  return { told, cursor }
}

const sorted = (ids: readonly string[]) => ids.toSorted()

test.each([0, 0.002])(
  'customers who write to Front %d seconds after one another are all read, however many they are, each once; and so is who writes then',
  async (secondsLater) => {
    await using one = await openFront()
    const { desk, standIn, account } = one
    standIn.write('Before?')
    const begun = await desk.changes?.(undefined, account())
    const many = [standIn.write('...', { secondsLater: 90 })]
    for (let at = 0; at < 400; at += 1) many.push(standIn.write('...', { secondsLater }))
    const read = await readOn(desk, account(), { cursor: begun?.cursor, times: 7 })
    expect(sorted(read.told)).toEqual(sorted(many))
    const next = standIn.write('And now?', { secondsLater: 1 })
    expect((await readOn(desk, account(), { cursor: read.cursor, times: 4 })).told).toEqual([next])
  },
)

test('a page of Front that is not there any more when the next reading asks for it does not end the reading', async () => {
  await using one = await openFront()
  const { desk, standIn, account } = one
  standIn.write('Before?')
  const begun = await desk.changes?.(undefined, account())
  const many = Array.from({ length: 400 }, () => standIn.write('...', { secondsLater: 0.002 }))
  const read = await readOn(desk, account(), {
    cursor: begun?.cursor,
    times: 5,
    before: (reading) => {
      if (reading === 2) standIn.misbehave({ status: 404, body: {} })
      if (reading === 3) standIn.misbehave({ status: 400, body: {} })
    },
  })
  expect(sorted(read.told)).toEqual(sorted(many))
})

test.each(['are changed', 'become spam'])(
  'tickets of Freshdesk that change within a second are all read, however many they are, each once, also if some %s between two readings; and so is one that comes then',
  async (what) => {
    await using one = await openFreshdesk()
    const { desk, standIn, account } = one
    standIn.write('Before?')
    const begun = await desk.changes?.(undefined, account())
    const many = Array.from({ length: 2_100 }, () => standIn.write('...'))
    const at = Date.parse(standIn.ticket(many.at(-1) ?? '').updated_at)
    const after = (seconds: number) => ({
      updated_at: new Date(at + seconds * 1_000).toISOString().replace('.000', ''),
    })
    for (const id of many) Object.assign(standIn.ticket(id), after(0))
    const last = standIn.write('...')
    Object.assign(standIn.ticket(last), after(120))
    const isSpam = what === 'become spam'
    // It was read, and moves to the end of the list or leaves it.
    const moving = many.slice(0, 50)
    const before = (reading: number) => {
      for (const id of reading === 2 ? moving : [])
        Object.assign(standIn.ticket(id), isSpam ? { spam: true } : after(121))
    }
    const read = await readOn(desk, account(), { cursor: begun?.cursor, times: 4, before })
    expect(sorted(read.told)).toEqual(sorted([...many, last, ...(isSpam ? [] : moving)]))
    const next = standIn.write('And now?')
    Object.assign(standIn.ticket(next), after(122))
    expect((await readOn(desk, account(), { cursor: read.cursor, times: 4 })).told).toEqual([next])
  },
  60_000,
)

const HOUR_MS = 3_600_000

test.each(['closed', 'changed', 'deleted', 'moved to another inbox'])(
  'conversations of Help Scout that are %s while their list is read take no other one out of it',
  async (what) => {
    await using one = await openHelpscout()
    const { desk, standIn, account } = one
    // After an outage.
    const since = new Date(Date.now() - 2 * HOUR_MS).toISOString()
    const cursor = JSON.stringify({ since, page: 1, seen: {} })
    const many = Array.from({ length: 120 }, () => standIn.write('How?'))
    for (const [at, id] of many.entries()) {
      const time = Date.now() - HOUR_MS + at * 1_000
      Object.assign(standIn.chat(id), { createdAt: time, modifiedAt: time })
    }
    standIn.onRequest = ({ query }) => {
      if (query.get('page') !== '3') return
      standIn.onRequest = undefined
      for (const id of many.slice(5, 20)) {
        const chat = standIn.chat(id)
        chat.modifiedAt = Date.now()
        if (what === 'closed') chat.status = 'closed'
        if (what === 'moved to another inbox') chat.mailboxId = 12
        if (what === 'deleted') standIn.delete(id)
      }
    }
    const { told } = await readOn(desk, account({ inboxes: '11' }), { cursor, times: 3 })
    expect(standIn.onRequest).toBeUndefined()
    expect(sorted(told)).toEqual(sorted(many))
  },
)
