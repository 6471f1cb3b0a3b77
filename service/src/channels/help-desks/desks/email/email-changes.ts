import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { readMailHeaders } from '../../../../kernel/mail-headers.ts'
import { isAutomaticMail } from '../../automatic-mail.ts'
import { readMailbox, type EmailDesk } from './email-access.ts'
import { rootOf, ticketIdOf } from './email-thread.ts'

/** `uid`: the last message that was seen. `since`: in milliseconds, when the mailbox was connected; what is older is left to people. */
const Cursor = z.object({ validity: z.string(), uid: z.number(), since: z.number() })

type Cursor = z.infer<typeof Cursor>

/** Of one reading; the others are read by the next one. */
const MOST = 200
/** Numbers of messages in one answer. */
const MOST_FOUND = 30_000
const HEADER_BYTES = 32_768
/** Where the server numbered all messages anew: those of these last days are looked at again. */
const RENUMBERED_DAYS_MS = 3 * 24 * 60 * 60 * 1_000

/** The conversations with new mail since the cursor. What programs sent is no ticket. */
export const changedConversations = async (
  before: string | undefined,
  desk: EmailDesk,
): Promise<{ ticketIds: readonly string[]; cursor: string }> =>
  await readMailbox(desk, async ({ mailbox, folders }) => {
    const known = Cursor.safeParse(parseJson(before ?? '')).data
    const { validity, nextUid, messages } = await mailbox.open(folders.inbox)
    const last = nextUid - 1
    if (known === undefined) {
      const cursor: Cursor = { validity, uid: last, since: Date.now() }
      return { ticketIds: [], cursor: JSON.stringify(cursor) }
    }
    const isRenumbered = known.validity !== validity
    let uids: number[] = []
    if (isRenumbered && messages > 0) {
      const since = new Date(Math.max(known.since, Date.now() - RENUMBERED_DAYS_MS))
      uids = await mailbox.search({ since }, MOST)
    } else if (last > known.uid) {
      const later = await mailbox.search({ uid: `${known.uid + 1}:*` }, MOST_FOUND)
      // With a number after the last one, `*` is the last one.
      uids = later.filter((uid) => uid > known.uid).slice(0, MOST)
    }
    const ticketIds = new Set<string>()
    for (const { source, receivedAt } of await mailbox.read(uids, HEADER_BYTES)) {
      const headers = readMailHeaders(source)
      if (isAutomaticMail(headers.fields) || receivedAt.getTime() < known.since - 60_000) continue
      const root = await rootOf(mailbox, folders, headers)
      if (root !== undefined) ticketIds.add(ticketIdOf(root))
    }
    const read = uids.length < MOST ? last : (uids.at(-1) ?? last)
    const uid = isRenumbered ? last : Math.max(read, known.uid)
    return {
      ticketIds: [...ticketIds],
      cursor: JSON.stringify({ validity, uid, since: known.since } satisfies Cursor),
    }
  })
