import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { DeskFailure, type DeskAccount } from '../../help-desk.ts'
import { isFrontId, readFromFront } from './front-api.ts'
import { FrontEvents, type FrontEvent } from './front-schemas.ts'

/** The most that Front lists at once. */
const PER_PAGE = 15
/** Of one reading: a company may have no more than 50 requests a minute. The next reading goes on where it ended. */
const MAX_PAGES = 10
/** What came this long before the latest event is asked for again: events may be listed late. */
const OVERLAP_SECONDS = 60
/** The smallest difference of two times. */
const MOMENT_SECONDS = 0.001
/** Events that are remembered. */
const MOST_SEEN = 5_000

/** The rest of a list: what came after a time, from a page on; and the time of the last event that was read of it. */
const Rest = z.object({ after: z.number(), token: z.string(), last: z.number() })
type Rest = z.infer<typeof Rest>

/**
 * `at`: the time of the latest event that was seen, in seconds. `seen`: the events shortly before it. `rest`: of a list that was not read to
 * its end.
 */
const Cursor = z.object({ at: z.number(), seen: z.array(z.string()), rest: Rest.optional() })

/** What came in, oldest first, or the newest one. @throws DeskFailure */
async function list(wanted: Record<string, string>, account: DeskAccount) {
  const query = new URLSearchParams({ 'q[types][]': 'inbound', ...wanted })
  const read = await readFromFront(`/events?${query.toString()}`, FrontEvents, account)
  if (read === undefined) throw new DeskFailure('Front did not list its events. It is read again later.')
  return read
}

/** The token of the next page; its address may be of another host. */
const nextToken = (next: string | undefined): string | undefined =>
  URL.parse(next ?? '')?.searchParams.get('page_token') ?? undefined

async function listFrom(
  { after, token: first }: { after: number; token?: string },
  account: DeskAccount,
): Promise<{ events: FrontEvent[]; rest?: Rest }> {
  const events: FrontEvent[] = []
  let token = first
  for (let page = 1; ; page += 1) {
    const read = await list(
      {
        'q[after]': after.toFixed(3),
        sort_by: 'created_at',
        sort_order: 'asc',
        limit: String(PER_PAGE),
        ...(token !== undefined && { page_token: token }),
      },
      account,
    )
    events.push(...read.items)
    token = nextToken(read.next)
    if (token === undefined) return { events }
    if (page === MAX_PAGES)
      return { events, rest: { after, token, last: events.at(-1)?.emitted_at ?? after } }
  }
}

/** Goes on with a list. The token may hold no longer than a reading: then what came since its last event is listed. */
async function goOn({ last, ...place }: Rest, account: DeskAccount) {
  try {
    return await listFrom(place, account)
  } catch (failure) {
    if (!(failure instanceof DeskFailure)) throw failure
    return await listFrom({ after: last - MOMENT_SECONDS }, account)
  }
}

/** The conversations that customers wrote in since the cursor. */
export async function changedInFront(
  before: string | undefined,
  account: DeskAccount,
  now: Date,
): Promise<{ ticketIds: readonly string[]; cursor: string }> {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  if (known === undefined) {
    const [newest] = (await list({ limit: '1' }, account)).items
    const seen = newest === undefined ? [] : [newest.id]
    // The events before it are left to people, also those that are asked for again.
    const at = (newest?.emitted_at ?? now.getTime() / 1_000) + OVERLAP_SECONDS
    return { ticketIds: [], cursor: JSON.stringify({ at, seen }) }
  }
  const { events, rest } =
    known.rest === undefined
      ? await listFrom({ after: known.at - OVERLAP_SECONDS }, account)
      : await goOn(known.rest, account)
  const at = Math.max(known.at, ...events.map((event) => event.emitted_at))
  // The next reading lists the end of this list once more, also what an earlier part of it had.
  const isWhole = known.rest === undefined && rest === undefined
  const remembered = isWhole ? [] : known.seen
  const recent = events.filter((event) => event.emitted_at >= at - OVERLAP_SECONDS).map(({ id }) => id)
  const seen = [...new Set([...remembered, ...recent])].slice(-MOST_SEEN)
  const seenBefore = new Set(known.seen)
  const ids = events
    .filter(({ id }) => !seenBefore.has(id))
    .map(({ conversation }) => conversation?.id ?? '')
    .filter((id) => isFrontId(id, 'cnv'))
  return { ticketIds: [...new Set(ids)], cursor: JSON.stringify({ at, seen, rest }) }
}
