import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { idsOf } from '../chosen-parts.ts'
import { CONVERSATIONS, isHubspotId, readFromHubspot } from './hubspot-api.ts'
import { HubspotThreads, type HubspotThread } from './hubspot-schemas.ts'
import { hubspotInboxes } from './hubspot-thread.ts'

const PER_PAGE = 100
/** Of one reading; the next one goes on where it ended. */
const MAX_PAGES = 10
/** What was said this long before the last reading is asked for again: lists may be late. */
const OVERLAP_MS = 2 * 60_000
/** Threads that are remembered. */
const MOST_SEEN = 5_000

/**
 * `since`: what was said after it is listed, by the clock of HubSpot. `seen`: the threads listed before that will be listed again: when
 * something was said last, and what changes when their customer writes.
 */
const Cursor = z.object({ since: z.string(), seen: z.record(z.string(), z.tuple([z.number(), z.string()])) })
type Seen = z.infer<typeof Cursor>['seen'][string]

const timeOf = ({ latestMessageTimestamp: time }: HubspotThread) => Date.parse(time ?? '') || 0
const seenOf = (thread: HubspotThread): Seen => [
  timeOf(thread),
  thread.latestMessageReceivedTimestamp ?? thread.latestMessageTimestamp ?? '',
]

async function list(from: number, after: string | undefined, account: DeskAccount) {
  const query = new URLSearchParams({
    sort: 'latestMessageTimestamp',
    latestMessageTimestampAfter: new Date(from).toISOString(),
    limit: String(PER_PAGE),
    ...(after !== undefined && { after }),
  })
  for (const inbox of idsOf(hubspotInboxes(account.config))) query.append('inboxId', inbox)
  return await readFromHubspot(`${CONVERSATIONS}/threads?${query.toString()}`, HubspotThreads, account)
}

/** Threads with something new, oldest message first, and from when on the next reading lists them. */
async function listSince(from: number, account: DeskAccount, now: number) {
  const threads: HubspotThread[] = []
  let at: number | undefined
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await list(from, after, account)
    at ??= Date.parse(read?.headers.get('date') ?? '') || now
    threads.push(...(read?.body.items ?? []))
    after = read?.body.next
    if (after === undefined) return { threads, next: Math.max(from, at - OVERLAP_MS) }
  }
  // There is more: the next reading goes on after the last one of these.
  return { threads, next: Math.max(from, ...threads.map((thread) => timeOf(thread))) }
}

/** The threads in which a customer wrote since the cursor. */
export async function changedInHubspot(
  before: string | undefined,
  account: DeskAccount,
  now: Date,
): Promise<{ ticketIds: readonly string[]; cursor: string }> {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  const from = Date.parse(known?.since ?? '') || now.getTime() - OVERLAP_MS
  const { threads, next } = await listSince(from, account, now.getTime())
  const listed = new Map(threads.map((thread) => [thread.id, seenOf(thread)]))
  // Without any that is right, all inboxes are listed.
  const isNothingOurs = hubspotInboxes(account.config).is === 'wrong'
  const isNew = ([id, [, state]]: [string, Seen]) =>
    known !== undefined && !isNothingOurs && known.seen[id]?.[1] !== state
  const kept = [...new Map([...Object.entries(known?.seen ?? {}), ...listed])].filter(
    ([, [at]]) => at >= next,
  )
  return {
    ticketIds: [...listed]
      .filter((one) => isNew(one))
      .map(([id]) => id)
      .filter((id) => isHubspotId(id)),
    cursor: JSON.stringify({
      since: new Date(next).toISOString(),
      seen: Object.fromEntries(kept.slice(-MOST_SEEN)),
    }),
  }
}
