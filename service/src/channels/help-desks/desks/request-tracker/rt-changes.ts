import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import type { HelpDesk } from '../../help-desk.ts'
import { isTicketId, readFromRt, settingOf } from './rt-api.ts'
import { RtTickets } from './rt-schemas.ts'

const PER_PAGE = 100
/** Of one reading. What changed before the last ticket of the last page is read by the next change of it. */
const MAX_PAGES = 20
/** RT's times are whole seconds: what changed in the last ones may change again at the same time. */
const UNSETTLED_MS = 3_000

/** `at`: the latest change that was seen. `seen`: the tickets that changed shortly before it, with their times. */
const Cursor = z.object({ at: z.string(), seen: z.record(z.string(), z.string()) })

type Cursor = z.infer<typeof Cursor>

const quoted = (name: string) => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`

const msOf = (time: string) => Date.parse(time) || 0

/** The tickets that changed since the cursor, newest first in RT's answer, until one that is older. */
export const changedTickets: NonNullable<HelpDesk['changes']> = async (before, account) => {
  const known = Cursor.safeParse(parseJson(before ?? '')).data
  const queue = settingOf(account.config, 'queue')
  const query = [`Status = '__Active__'`, ...(queue === undefined ? [] : [`Queue = ${quoted(queue)}`])]
  const isNew = (id: string, at: string) =>
    known !== undefined && msOf(at) >= msOf(known.at) - UNSETTLED_MS && known.seen[id] !== at
  const changed = new Map<string, string>()
  let newest = known?.at ?? '1970-01-01T00:00:00Z'
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const wanted = new URLSearchParams({
      query: query.join(' AND '),
      orderby: 'LastUpdated',
      order: 'DESC',
      fields: 'LastUpdated',
      per_page: String(PER_PAGE),
      page: String(page),
    })
    const read = await readFromRt(`/tickets?${wanted}`, RtTickets, account)
    const items = (read?.body.items ?? [])
      .filter(({ id }) => isTicketId(id))
      .map(({ id, LastUpdated }) => ({ id, at: LastUpdated ?? '' }))
    for (const { id, at } of items) {
      changed.set(id, at)
      if (msOf(at) > msOf(newest)) newest = at
    }
    const oldest = items.at(-1)?.at
    const isOver = oldest === undefined || items.length < PER_PAGE || known === undefined
    if (isOver || msOf(oldest) < msOf(known.at) - UNSETTLED_MS) break
  }
  const all = [...changed]
  // Those of the last seconds may change again without a new time: they are not remembered as seen, unless nothing was known before.
  const settledBefore = known === undefined ? Infinity : Date.now() - UNSETTLED_MS
  const seen = all.filter(([, at]) => msOf(at) >= msOf(newest) - UNSETTLED_MS && msOf(at) < settledBefore)
  const cursor: Cursor = { at: newest, seen: Object.fromEntries(seen) }
  return {
    ticketIds: all.filter(([id, at]) => isNew(id, at)).map(([id]) => id),
    cursor: JSON.stringify(cursor),
  }
}
