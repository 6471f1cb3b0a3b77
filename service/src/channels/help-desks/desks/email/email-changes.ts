import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../../kernel/json.ts'
import { readMailHeaders } from '../../../../kernel/mail-headers.ts'
import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import type { Mailbox } from '../../../../platform/outbound/mail/open-mailbox.ts'
import { readMailbox, type EmailAccess, type EmailDesk } from './email-access.ts'
import { rootOf, ticketIdOf } from './email-thread.ts'

/**
 * `of`: the folder that it is about; another one begins anew. `uid`: the last message that was seen. `since`: in milliseconds, when the
 * mailbox was connected; what is older is left to people.
 */
const Cursor = z.object({ of: z.string(), validity: z.string(), uid: z.number(), since: z.number() })

type Cursor = z.infer<typeof Cursor>

/** Of one reading; the others are read by the next one. */
const MOST = 200
/** Milliseconds after which the rest is left to the next reading: finding the first mail of a conversation may take many requests. */
const MOST_MS = 25_000
/** Numbers of messages in one answer. */
const MOST_FOUND = 30_000
const HEADER_BYTES = 32_768
/** Where the server numbered all messages anew: those of these last days are looked at again. */
const RENUMBERED_DAYS_MS = 3 * 24 * 60 * 60 * 1_000

/** Numbers of the messages since the cursor. */
async function newUids(
  mailbox: Mailbox,
  known: Cursor,
  { isRenumbered, messages, last }: { isRenumbered: boolean; messages: number; last: number },
): Promise<number[]> {
  if (isRenumbered) {
    const since = new Date(Math.max(known.since, Date.now() - RENUMBERED_DAYS_MS))
    return messages > 0 ? await mailbox.search({ since }, MOST) : []
  }
  if (last <= known.uid) return []
  const later = await mailbox.search({ uid: `${known.uid + 1}:*` }, MOST_FOUND)
  // With a number after the last one, `*` is the last one.
  return later.filter((uid) => uid > known.uid).slice(0, MOST)
}

/**
 * The conversations of these messages, in their order, within the time.
 *
 * @returns with `reached`, the last message that was looked at if there was no time for all
 */
async function conversationsOf(
  { mailbox, folders }: Pick<EmailAccess, 'mailbox' | 'folders'>,
  uids: readonly number[],
  since: number,
): Promise<{ ticketIds: string[]; reached: number | undefined }> {
  const ticketIds = new Set<string>()
  const startedAt = performance.now()
  const mails = await mailbox.read(uids, HEADER_BYTES)
  let done: number | undefined
  for (const { uid, source, receivedAt } of mails.toSorted((one, other) => one.uid - other.uid)) {
    if (done !== undefined && performance.now() - startedAt > MOST_MS)
      return { ticketIds: [...ticketIds], reached: done }
    done = uid
    const headers = readMailHeaders(source)
    if (isAutomaticMail(headers.fields) || receivedAt.getTime() < since - 60_000) continue
    const root = await rootOf(mailbox, folders, headers)
    if (root !== undefined) ticketIds.add(ticketIdOf(root))
  }
  return { ticketIds: [...ticketIds], reached: undefined }
}

/** The conversations with new mail since the cursor. What programs sent is no ticket. */
export const changedConversations = async (
  before: string | undefined,
  desk: EmailDesk,
): Promise<{ ticketIds: readonly string[]; cursor: string }> =>
  await readMailbox(desk, async ({ mailbox, folders, account: { reading } }) => {
    const place = JSON.stringify([reading.host, reading.port, reading.user, folders.inbox])
    const of = hash('sha256', place).slice(0, 20)
    const stored = Cursor.safeParse(parseJson(before ?? '')).data
    const known = stored?.of === of ? stored : undefined
    const { validity, nextUid, messages } = await mailbox.open(folders.inbox)
    const last = nextUid - 1
    if (known === undefined) {
      const cursor: Cursor = { of, validity, uid: last, since: Date.now() }
      return { ticketIds: [], cursor: JSON.stringify(cursor) }
    }
    const isRenumbered = known.validity !== validity
    const uids = await newUids(mailbox, known, { isRenumbered, messages, last })
    const { ticketIds, reached } = await conversationsOf({ mailbox, folders }, uids, known.since)
    const read = uids.length < MOST ? last : (uids.at(-1) ?? last)
    const uid = reached ?? (isRenumbered ? last : Math.max(read, known.uid))
    return { ticketIds, cursor: JSON.stringify({ of, validity, uid, since: known.since } satisfies Cursor) }
  })
