import {
  ImapFlow,
  type DownloadObject,
  type FetchQueryObject,
  type MessageStructureObject,
  type SearchObject,
} from 'imapflow'
import {
  addressOfMailServer,
  connectionFailure,
  MAIL_LIMITS,
  MailFailure,
  tlsNameOf,
  type MailOutbound,
  type MailServer,
} from './mail-server.ts'

export interface MailFolder {
  path: string
  /** What the server says it is for, such as `\Sent`. */
  use: string | undefined
}

export interface OpenFolder {
  /** Another value: all numbers of messages mean something else now. */
  validity: string
  /** The number that the next message gets, or a higher one. */
  nextUid: number
  messages: number
  /** Changes with each change in the folder, where the server counts them. */
  changes: string | undefined
  /** Whether it takes any keyword. */
  takesKeywords: boolean
}

export interface StoredMail {
  uid: number
  flags: ReadonlySet<string>
  /** When the server got it: nobody else can set that. */
  receivedAt: Date
  /** As many bytes as were asked for. */
  source: Buffer
}

/** A part of a message that has a name. */
export interface AttachedPart {
  uid: number
  part: string
  name: string
  /** About as many as it has; undefined if the server does not say. */
  bytes: number | undefined
}

/** A mailbox while it is open. Everything in it is untrusted. @throws MailFailure, all of it */
export interface Mailbox {
  folders(): Promise<MailFolder[]>
  /** What follows is about this folder. `MailFailure` `refused` if it is not there. */
  open(path: string, given?: { readOnly: boolean }): Promise<OpenFolder>
  /** Ascending numbers of messages, the last ones if there are more. */
  search(query: SearchObject, most: number): Promise<number[]>
  /** These fields of the heads of messages, as they are in them. */
  heads(uids: readonly number[], fields: readonly string[]): Promise<StoredMail[]>
  /** The beginnings of messages; those that are gone are not in it. */
  read(uids: readonly number[], bytes: number): Promise<StoredMail[]>
  /** Parts of messages that have names, without what is shown within their text. */
  parts(uids: readonly number[]): Promise<AttachedPart[]>
  /** The content of such a part; undefined if it is gone. `MailFailure` `refused` if it has more bytes. */
  content(part: AttachedPart, maxBytes: number): Promise<Uint8Array | undefined>
  flag(uids: readonly number[], flags: readonly string[]): Promise<void>
  move(uids: readonly number[], to: string): Promise<void>
  append(path: string, raw: Buffer, flags: readonly string[]): Promise<void>
}

/** Messages in one answer, and heads. */
const BATCH = 20
const HEADS = 500
const MAX_FOLDERS = 2_000
const MAX_HEAD_BYTES = 16_384
/** Largest beginning of a message. */
const MAX_MAIL_BYTES = 1_048_576

/** The last so many messages of a folder: a search for all could have a longer answer than is read. */
export const newest = (messages: number, most: number) => `${Math.max(1, messages - most + 1)}:*`

const textOf = (error: unknown, name: string): string =>
  typeof error === 'object' && error !== null && name in error
    ? String((error as Record<string, unknown>)[name])
    : ''

/** An answer of the server that says no, or a connection that broke. */
function commandFailure(error: unknown, server: MailServer, what: string): MailFailure {
  if (error instanceof MailFailure) return error
  if (/TooLarge|TooMany|Parser|InvalidResponse|ResponseProcessing|NESTING/.test(textOf(error, 'code')))
    return new MailFailure('broken', `${server.host} sent more than is read, or what is no IMAP.`, error)
  if (/^(?:NO|BAD)$/.test(textOf(error, 'responseStatus')))
    return new MailFailure('refused', `${server.host} did not ${what}.`, error)
  return new MailFailure('unreachable', `${server.host} broke the connection.`, error)
}

function signInFailure(error: unknown, server: MailServer): MailFailure {
  if (textOf(error, 'authenticationFailed') !== 'true') return connectionFailure(error, server)
  // It says so of too many connections to one mailbox, too: the password may be right.
  if (/UNAVAILABLE|INUSE|LIMIT|THROTTL/i.test(textOf(error, 'serverResponseCode')))
    return new MailFailure('unreachable', `${server.host} takes no further connection at the moment.`, error)
  return new MailFailure(
    'login',
    `${server.host} refused the user or the password for reading. With two-step sign-in, make an app password; some providers switch IMAP on per mailbox.`,
    error,
  )
}

/** When the server got a message. */
function receivedAt(given: Date | string | undefined): Date {
  const time = new Date(given ?? 0).getTime()
  return new Date(Number.isNaN(time) ? 0 : time)
}

/** Parts of one message, and how deep they are in each other. */
const MAX_PARTS = 200
const MAX_DEPTH = 20
const MAX_PART_NAME = 500
/** Of a file, in one answer. */
const CHUNK_BYTES = 524_288

function* partsIn(node: MessageStructureObject, depth = 0): Generator<MessageStructureObject, void, void> {
  yield node
  // A mail that is attached to this one is not opened.
  if (depth >= MAX_DEPTH || node.type === 'message/rfc822') return
  for (const child of node.childNodes ?? []) yield* partsIn(child, depth + 1)
}

function namedParts(uid: number, structure: MessageStructureObject): AttachedPart[] {
  const found: AttachedPart[] = []
  for (const { part = '1', size, encoding, id, disposition, ...node } of partsIn(structure)) {
    const name = node.dispositionParameters?.['filename'] ?? node.parameters?.['name'] ?? ''
    const isShown = id !== undefined && disposition !== 'attachment'
    if (name === '' || isShown || node.childNodes !== undefined) continue
    // Lines of 76 characters and two more have 57 bytes in base64.
    const bytes = size !== undefined && encoding === 'base64' ? Math.floor((size * 57) / 78) : size
    found.push({ uid, part, name: name.slice(0, MAX_PART_NAME), bytes })
    if (found.length >= MAX_PARTS) break
  }
  return found
}

async function gathered(content: DownloadObject['content']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

/** Of what a server sends to one request, more than was asked for. */
const MOST_UNASKED = 1_000

/** @param endedBy what ended the connection: the client tells it as an event, and only that there is none to whoever waits for an answer */
function mailboxOf(client: ImapFlow, server: MailServer, endedBy: () => unknown): Mailbox {
  /** Messages one after the other, so that what a server sends without end is not kept. */
  async function* fetched(uids: readonly number[], query: FetchQueryObject) {
    const wanted = new Set(uids)
    let unasked = 0
    for await (const one of client.fetch([...uids].join(','), query, { uid: true })) {
      // A server may send more than it was asked for.
      if (wanted.delete(one.uid)) yield one
      else unasked += 1
      if (unasked > MOST_UNASKED)
        throw new MailFailure('broken', `${server.host} sent more than is read, or what is no IMAP.`)
    }
  }
  const tried = async <Result>(what: string, run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      throw commandFailure(endedBy() ?? error, server, what)
    }
  }
  const said = <Result>(answer: Result | false | undefined, what: string): Result => {
    if (answer === false || answer === undefined)
      throw new MailFailure('refused', `${server.host} did not ${what}.`)
    return answer
  }
  return {
    folders: () =>
      tried('list its folders', async () =>
        (await client.list())
          .slice(0, MAX_FOLDERS)
          .map(({ path, specialUse }) => ({ path, use: specialUse })),
      ),
    open: (path, { readOnly } = { readOnly: true }) =>
      tried(`open the folder ${path.slice(0, 80)}`, async () => {
        const folder = await client.mailboxOpen(path, { readOnly })
        return {
          validity: String(folder.uidValidity),
          nextUid: folder.uidNext,
          messages: folder.exists,
          changes: folder.highestModseq === undefined ? undefined : String(folder.highestModseq),
          takesKeywords: folder.permanentFlags?.has(String.raw`\*`) ?? false,
        }
      }),
    search: (query, most) =>
      tried('search', async () => {
        const uids = said(await client.search(query, { uid: true }), 'search')
        return uids.toSorted((one, other) => one - other).slice(-most)
      }),
    read: (uids, bytes) =>
      tried('let messages be read', async () => {
        const mails: StoredMail[] = []
        const maxLength = Math.min(bytes, MAX_MAIL_BYTES)
        for (let at = 0; at < uids.length; at += BATCH) {
          const some = uids.slice(at, at + BATCH)
          const query = { uid: true, flags: true, internalDate: true, source: { start: 0, maxLength } }
          for await (const one of fetched(some, query)) {
            if (one.source === undefined) continue
            mails.push({
              uid: one.uid,
              flags: one.flags ?? new Set(),
              receivedAt: receivedAt(one.internalDate),
              // A copy: a part of it would keep all of it in memory.
              source: Buffer.from(one.source.subarray(0, maxLength)),
            })
          }
        }
        return mails
      }),
    heads: (uids, fields) =>
      tried('let messages be read', async () => {
        const mails: StoredMail[] = []
        for (let at = 0; at < uids.length; at += HEADS) {
          const some = uids.slice(at, at + HEADS)
          const query = { uid: true, flags: true, internalDate: true, headers: [...fields] }
          for await (const one of fetched(some, query)) {
            if (one.headers === undefined) continue
            mails.push({
              uid: one.uid,
              flags: one.flags ?? new Set(),
              receivedAt: receivedAt(one.internalDate),
              source: Buffer.from(one.headers.subarray(0, MAX_HEAD_BYTES)),
            })
          }
        }
        return mails
      }),
    parts: (uids) =>
      tried('let messages be read', async () => {
        const parts: AttachedPart[] = []
        for (let at = 0; at < uids.length; at += BATCH) {
          const some = uids.slice(at, at + BATCH)
          for await (const { uid, bodyStructure } of fetched(some, { uid: true, bodyStructure: true }))
            if (bodyStructure !== undefined) parts.push(...namedParts(uid, bodyStructure))
        }
        return parts
      }),
    content: ({ uid, part, name }, maxBytes) =>
      tried('let a file be read', async () => {
        const given = { uid: true, maxBytes: maxBytes + 1, chunkSize: CHUNK_BYTES }
        const found = await client.download(String(uid), part, given)
        if (!('content' in found) || found.content === undefined) return undefined
        const bytes = await gathered(found.content)
        if (bytes.length > maxBytes)
          throw new MailFailure('refused', `The file ${name.slice(0, 80)} is larger than its mail says.`)
        return bytes
      }),
    flag: (uids, flags) =>
      tried('mark messages', async () => {
        if (uids.length > 0) await client.messageFlagsAdd(uids.join(','), [...flags], { uid: true })
      }),
    move: (uids, to) =>
      tried(`move messages to the folder ${to.slice(0, 80)}`, async () => {
        const what = `move messages to the folder ${to.slice(0, 80)}`
        if (uids.length > 0) said(await client.messageMove(uids.join(','), to, { uid: true }), what)
      }),
    append: (path, raw, flags) =>
      tried(`store a message in the folder ${path.slice(0, 80)}`, async () => {
        said(await client.append(path, raw, [...flags]), `store a message in the folder ${path.slice(0, 80)}`)
      }),
  }
}

/**
 * Opens a mailbox, works in it, and closes it. The connection goes to the address that was checked, and is limited in time and in what one
 * answer may hold.
 *
 * @throws MailFailure for what server and network do; the signal's reason if it is aborted; whatever `work` throws
 */
export async function withMailbox<Result>(
  outbound: MailOutbound,
  server: MailServer,
  signal: AbortSignal,
  work: (mailbox: Mailbox) => Promise<Result>,
  totalMs: number = MAIL_LIMITS.totalMs,
): Promise<Result> {
  const host = await addressOfMailServer(outbound, server)
  const client = new ImapFlow({
    host,
    port: server.port,
    secure: server.security === 'tls',
    doSTARTTLS: server.security === 'starttls',
    ...tlsNameOf(server),
    auth: { user: server.user, pass: server.password },
    logger: false,
    clientInfo: { name: 'Citewell', version: false, os: false, vendor: false },
    disableAutoIdle: true,
    // Compressed answers would pass the limits on their way.
    disableCompression: true,
    connectionTimeout: MAIL_LIMITS.connectMs,
    greetingTimeout: MAIL_LIMITS.connectMs,
    socketTimeout: MAIL_LIMITS.idleMs,
    maxLineLength: 262_144,
    maxLiteralSize: MAX_MAIL_BYTES + 1_024,
    maxResponseSize: MAIL_LIMITS.answerBytes,
    maxResponseTokens: 50_000,
  })
  let endedBy: unknown
  client.on('error', (error) => {
    endedBy ??= error
  })
  const late = AbortSignal.timeout(totalMs)
  const ending = AbortSignal.any([signal, late])
  const close = () => client.close()
  ending.addEventListener('abort', close, { once: true })
  try {
    signal.throwIfAborted()
    try {
      await client.connect()
    } catch (error) {
      signal.throwIfAborted()
      throw signInFailure(error, server)
    }
    return await work(mailboxOf(client, server, () => endedBy))
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) throw new MailFailure('broken', `${server.host} took too long.`, error)
    throw error
  } finally {
    ending.removeEventListener('abort', close)
    client.close()
  }
}
