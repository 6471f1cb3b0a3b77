import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { DeskAccount } from '../../help-desk.ts'
import type { HelpscoutApi } from './helpscout-api.ts'
import { helpscoutInboxes } from './helpscout-conversation.ts'
import { HelpscoutList } from './helpscout-schemas.ts'

/** Of one reading; the next one goes on where it ended. */
const MAX_PAGES = 10
/** What changed this long before the last reading is asked for again: lists may be late. */
const OVERLAP_MS = 2 * 60_000
/** Conversations whose state is remembered. */
const MOST_SEEN = 2_000

/**
 * `since`: what was modified after it is listed, by the clock of Help Scout. `began`: when the list was begun that is not at its end yet, and
 * `page`: its next page. `seen`: what was listed, with what changes when a customer writes.
 */
const Cursor = z.object({
  since: z.string(),
  began: z.string().optional(),
  page: z.int().min(1),
  seen: z.record(z.string(), z.string()),
})
type Cursor = z.infer<typeof Cursor>

const isoOf = (ms: number) => new Date(Math.max(ms, 0)).toISOString().replace(/\.\d+Z$/, 'Z')

/** One page, oldest change first. A list has no time of a customer's message: what was said is counted instead. */
async function list(api: HelpscoutApi, from: number, page: number, account: DeskAccount, now: number) {
  const inboxes = helpscoutInboxes(account.config)
  const query = new URLSearchParams({
    ...(inboxes.length > 0 && { mailbox: inboxes.join(',') }),
    status: 'open',
    modifiedSince: isoOf(from),
    sortField: 'modifiedAt',
    sortOrder: 'asc',
    page: String(page),
  })
  const read = await api.read(`/conversations?${query.toString()}`, HelpscoutList, account)
  const items = (read?.body.items ?? []).filter(({ type }) => (type ?? 'email') === 'email')
  return {
    at: Date.parse(read?.headers.get('date') ?? '') || now,
    states: items.map(({ id, threads, customerWaitingSince: waiting }): [string, string] => [
      id,
      `${threads ?? ''} ${waiting?.time ?? ''}`,
    ]),
    isLast: page >= (read?.body.pages ?? 0),
  }
}

/** The conversations in which something was said since the cursor. */
export async function changedInHelpscout(
  api: HelpscoutApi,
  before: string | undefined,
  account: DeskAccount,
  now: Date,
): Promise<{ ticketIds: readonly string[]; cursor: string }> {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  const { since, began, page: first, seen }: Cursor = known ?? { since: now.toISOString(), page: 1, seen: {} }
  const listed = new Map<string, string>()
  let startedAt = began
  let page = first
  for (let pages = 1; ; pages += 1) {
    const read = await list(api, Date.parse(since) - OVERLAP_MS, page, account, now.getTime())
    startedAt ??= isoOf(read.at)
    for (const [id, state] of read.states) listed.set(id, state)
    if (read.isLast) {
      page = 0
      break
    }
    page += 1
    if (pages === MAX_PAGES) break
  }
  const isNew = ([id, state]: [string, string]) => known !== undefined && seen[id] !== state
  const isAtEnd = page === 0
  // What was listed before and changed again has moved to the end of the list, and all behind it one place ahead: the last page is read again.
  const next = isAtEnd ? { since: startedAt, page: 1 } : { since, began: startedAt, page: page - 1 }
  const kept = isAtEnd && began === undefined ? [...listed] : [...Object.entries(seen), ...listed]
  return {
    ticketIds: [...listed].filter((one) => isNew(one)).map(([id]) => id),
    cursor: JSON.stringify({ ...next, seen: Object.fromEntries(kept.slice(-MOST_SEEN)) }),
  }
}
