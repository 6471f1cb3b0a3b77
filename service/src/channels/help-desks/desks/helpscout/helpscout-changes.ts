import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { DeskAccount } from '../../help-desk.ts'
import type { HelpscoutApi } from './helpscout-api.ts'
import { isChosen } from '../chosen-parts.ts'
import { helpscoutInboxes, isOpenInHelpscout } from './helpscout-conversation.ts'
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

/**
 * One page, oldest conversation first. A list has neither the time of a change, to go on from, nor that of a customer's message: what was said
 * is counted instead. What it is sorted and filtered by must not change while its pages are read, or some would be on none of them: so status
 * and inbox are looked at here.
 */
async function list(api: HelpscoutApi, from: number, page: number, account: DeskAccount, now: number) {
  const inboxes = helpscoutInboxes(account.config)
  const query = new URLSearchParams({
    status: 'all',
    modifiedSince: isoOf(from),
    sortField: 'createdAt',
    sortOrder: 'asc',
    page: String(page),
  })
  const read = await api.read(`/conversations?${query.toString()}`, HelpscoutList, account)
  const items = (read?.body.items ?? []).filter(
    ({ type, status, mailboxId }) =>
      (type ?? 'email') === 'email' && isOpenInHelpscout(status) && isChosen(inboxes, mailboxId),
  )
  return {
    at: Date.parse(read?.headers.get('date') ?? '') || now,
    states: items.map(({ id, threads, customerWaitingSince: waiting }): [string, string] => [
      id,
      `${threads ?? ''} ${waiting?.time ?? ''}`,
    ]),
    total: read?.body.total ?? 0,
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
  let total = 0
  for (let pages = 1; ; pages += 1) {
    const read = await list(api, Date.parse(since) - OVERLAP_MS, page, account, now.getTime())
    startedAt ??= isoOf(read.at)
    for (const [id, state] of read.states) listed.set(id, state)
    // What was deleted, merged or moved away has left the list, and what followed it may be on the page before now.
    const isShorter = read.total < total
    total = read.total
    if (read.isLast && !isShorter) {
      page = 0
      break
    }
    page = isShorter ? Math.max(page - 1, 1) : page + 1
    if (pages === MAX_PAGES) break
  }
  const isNew = ([id, state]: [string, string]) => known !== undefined && seen[id] !== state
  const isAtEnd = page === 0
  // The same may happen until then: the last page is read again.
  const next = isAtEnd
    ? { since: startedAt, page: 1 }
    : { since, began: startedAt, page: Math.max(page - 1, 1) }
  const kept = isAtEnd && began === undefined ? [...listed] : [...Object.entries(seen), ...listed]
  return {
    ticketIds: [...listed].filter((one) => isNew(one)).map(([id]) => id),
    cursor: JSON.stringify({ ...next, seen: Object.fromEntries(kept.slice(-MOST_SEEN)) }),
  }
}
