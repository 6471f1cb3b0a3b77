import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { isFrontId, readFromFront } from './front-api.ts'
import { FrontEvents, type FrontEvent } from './front-schemas.ts'

/** The most that Front lists at once. */
const PER_PAGE = 15
/** Of one reading: a company may have no more than 50 requests a minute. The next reading goes on where it ended. */
const MAX_PAGES = 10
/** What came this long before the latest event is asked for again: events may be listed late. */
const OVERLAP_SECONDS = 60

/** `at`: the time of the latest event that was seen, in seconds. `seen`: the events shortly before it. */
const Cursor = z.object({ at: z.number(), seen: z.array(z.string()) })

/** What came in, oldest first, or the newest one. @throws DeskFailure */
async function list(wanted: Record<string, string>, account: DeskAccount) {
  const query = new URLSearchParams({ 'q[types][]': 'inbound', ...wanted })
  return await readFromFront(`/events?${query.toString()}`, FrontEvents, account)
}

/** The token of the next page; its address may be of another host. */
const nextToken = (next: string | undefined): string | undefined =>
  URL.parse(next ?? '')?.searchParams.get('page_token') ?? undefined

async function listSince(at: number, account: DeskAccount): Promise<FrontEvent[]> {
  const all: FrontEvent[] = []
  let token: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await list(
      {
        'q[after]': at.toFixed(3),
        sort_by: 'created_at',
        sort_order: 'asc',
        limit: String(PER_PAGE),
        ...(token !== undefined && { page_token: token }),
      },
      account,
    )
    all.push(...(read?.items ?? []))
    token = nextToken(read?.next)
    if (token === undefined) break
  }
  return all
}

/** The conversations that customers wrote in since the cursor. */
export async function changedInFront(
  before: string | undefined,
  account: DeskAccount,
  now: Date,
): Promise<{ ticketIds: readonly string[]; cursor: string }> {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  if (known === undefined) {
    const [newest] = (await list({ limit: '1' }, account))?.items ?? []
    const seen = newest === undefined ? [] : [newest.id]
    // The events before it are left to people, also those that are asked for again.
    const at = (newest?.emitted_at ?? now.getTime() / 1_000) + OVERLAP_SECONDS
    return { ticketIds: [], cursor: JSON.stringify({ at, seen }) }
  }
  const events = await listSince(known.at - OVERLAP_SECONDS, account)
  const at = Math.max(known.at, ...events.map((event) => event.emitted_at))
  const seen = events.filter((event) => event.emitted_at >= at - OVERLAP_SECONDS).map(({ id }) => id)
  const seenBefore = new Set(known.seen)
  const ids = events
    .filter(({ id }) => !seenBefore.has(id))
    .map(({ conversation }) => conversation?.id ?? '')
    .filter((id) => isFrontId(id, 'cnv'))
  return { ticketIds: [...new Set(ids)], cursor: JSON.stringify({ at, seen }) }
}
