import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { isFreshdeskId, readFromFreshdesk } from './freshdesk-api.ts'
import { isOfPart, isOpenInFreshdesk } from './freshdesk-part.ts'
import { FreshdeskTickets } from './freshdesk-schemas.ts'

const PER_PAGE = 100
/** Of one reading; the next one goes on where it ended. */
const MAX_PAGES = 20
/** What changed this long before the latest change is asked for again: times are whole seconds, and lists may be late. */
const OVERLAP_MS = 60_000
/** What changed in the last seconds may change again at the same time. */
const UNSETTLED_MS = 3_000
/** Tickets that are remembered. */
const MOST_SEEN = 5_000

/** A page of the list of what changed since a time. */
const Place = z.object({ since: z.string(), page: z.int().min(1) })
type Place = z.infer<typeof Place>

/**
 * `at`: the latest change that was seen. `seen`: the tickets that changed shortly before it, with their times. `rest`: where a list goes on
 * that was not read to its end.
 */
const Cursor = z.object({ at: z.string(), seen: z.record(z.string(), z.string()), rest: Place.optional() })

const msOf = (time: string) => Date.parse(time) || 0
const isoOf = (ms: number) => new Date(Math.max(ms, 0)).toISOString().replace(/\.\d+Z$/, 'Z')

type Listed = z.infer<typeof FreshdeskTickets>

async function list(wanted: Record<string, string>, account: DeskAccount): Promise<Listed> {
  const query = new URLSearchParams({ ...wanted, order_by: 'updated_at', per_page: String(PER_PAGE) })
  const read = await readFromFreshdesk(`/tickets?${query.toString()}`, FreshdeskTickets, account)
  return (read ?? []).filter(({ id }) => isFreshdeskId(id))
}

/**
 * What changed since a time, oldest first, and where the list goes on. Freshdesk ends each list at page 300, and a ticket that changes
 * meanwhile moves all behind it: the next page is asked for by the time of the last ticket, not by its number.
 */
async function listFrom(place: Place, account: DeskAccount): Promise<{ items: Listed; rest?: Place }> {
  const items: Listed = []
  let since = msOf(place.since)
  let { page } = place
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const wanted = { updated_since: isoOf(since), order_type: 'asc', page: String(page) }
    const listed = await list(wanted, account)
    items.push(...listed)
    if (listed.length < PER_PAGE) return { items }
    const next = msOf(listed.at(-1)?.updated_at ?? '') - UNSETTLED_MS
    page = next > since ? 1 : page + 1
    since = Math.max(next, since)
  }
  // What changes until then moves to the end of the list, and all behind it some places ahead: the last page is read again.
  return { items, rest: { since: isoOf(since), page: Math.max(page - 1, 1) } }
}

/** What changed since the cursor: first what is left of a list, so that many changes at one time end some day. */
async function listSince({ at, rest }: z.infer<typeof Cursor>, account: DeskAccount) {
  return await listFrom(rest ?? { since: isoOf(msOf(at) - OVERLAP_MS), page: 1 }, account)
}

/** The tickets that changed since the cursor, as far as they are of the part that is automated. */
export async function changedInFreshdesk(
  before: string | undefined,
  account: DeskAccount,
  now: Date,
): Promise<{ ticketIds: readonly string[]; cursor: string }> {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  const { items, rest } =
    known === undefined
      ? { items: await list({ order_type: 'desc', page: '1' }, account), rest: undefined }
      : await listSince(known, account)
  const times = new Map(items.map(({ id, updated_at: at }) => [id, at ?? '']))
  const latest = [...times.values()].reduce((one, other) => (msOf(other) > msOf(one) ? other : one), '')
  // Without a ticket in the last 30 days nothing is listed: whatever comes is new.
  const at = [latest, known?.at ?? ''].find((time) => time !== '') ?? isoOf(now.getTime())
  const settledBefore = known === undefined ? Infinity : now.getTime() - UNSETTLED_MS
  // The next reading lists the end of this list once more, also what an earlier part of it had.
  const isWhole = known?.rest === undefined && rest === undefined
  const remembered = isWhole ? [] : Object.entries(known?.seen ?? {})
  const seen = [...new Map([...remembered, ...times])].filter(
    ([, time]) => msOf(time) >= msOf(at) - OVERLAP_MS && msOf(time) < settledBefore,
  )
  const isNew = (id: string) => known !== undefined && known.seen[id] !== times.get(id)
  const ours = items.filter((item) => isOpenInFreshdesk(item) && isOfPart(item, account.config))
  return {
    ticketIds: [...new Set(ours.map(({ id }) => id).filter((id) => isNew(id)))],
    cursor: JSON.stringify({ at, seen: Object.fromEntries(seen.slice(-MOST_SEEN)), rest }),
  }
}
