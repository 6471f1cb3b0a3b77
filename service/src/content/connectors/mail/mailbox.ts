import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { readMailHeaders } from '../../../kernel/mail-headers.ts'
import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import {
  MailFailure,
  type MailOutbound,
  type MailServer,
} from '../../../platform/outbound/mail/mail-server.ts'
import {
  newest,
  withMailbox,
  type AttachedPart,
  type Mailbox,
} from '../../../platform/outbound/mail/open-mailbox.ts'
import { SourceFailure, type Connector, type ConnectorInput, type SourceItems } from '../connector.ts'
import { perReading } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import type { AskedIds } from '../rest/attachments.ts'
import { goneWithFiles, listWithFiles, readItemsWithFiles, unchangedWithFiles } from '../rest/item-files.ts'
import {
  factsOf,
  fileAt,
  filesWanted,
  itemsOfThread,
  TEXT_BYTES,
  type MailDeps,
  type ReadMail,
} from './mail-document.ts'
import { threadsOf, type SourceMail, type SourceThread } from '../../../kernel/mail-threads.ts'

export type MailboxConfig = SourceConfig<'mailbox'>
type Input = ConnectorInput<MailboxConfig>

/** Mails of a folder that are looked at: the newest ones. */
const MAX_MAILS = 20_000
/** Mails that are read on one connection, and kept in memory. */
const AT_ONCE = 100
const SCAN_MS = 10 * 60 * 1_000
const HEAD_FIELDS = ['message-id', 'references', 'in-reply-to', 'from', 'date']

/** For each folder, what changes when a mail comes or goes. */
const Cursor = z.object({ folders: z.record(z.string(), z.string()) })

interface ReadPlaces {
  sources: Map<string, Uint8Array>
  parts: Map<string, AttachedPart[]>
}

const CONNECT_AGAIN =
  'Enter the user and the password of the mailbox, or an app password where sign-in has two steps, and look whether IMAP is on.'

function serverOf({ config, credentials }: Input): MailServer {
  const url = new URL(config.url)
  const isStarttls = url.protocol === 'imap:'
  const usual = isStarttls ? 143 : 993
  return {
    host: url.hostname,
    port: url.port === '' ? usual : Number(url.port),
    security: isStarttls ? 'starttls' : 'tls',
    user: credentials?.user ?? '',
    password: credentials?.password ?? '',
  }
}

function asSourceFailure(error: unknown): unknown {
  if (!(error instanceof MailFailure)) return error
  const words = error.fault === 'login' ? `${error.message} ${CONNECT_AGAIN}` : error.message
  return new SourceFailure(words, { cause: error })
}

/** Reads folders of a mailbox, each conversation as a document. */
export function createMailboxConnector(
  deps: MailDeps & { outbound: MailOutbound },
): Connector<MailboxConfig> {
  const inMailbox = async <Result>(input: Input, work: (mailbox: Mailbox) => Promise<Result>) => {
    try {
      return await withMailbox(deps.outbound, serverOf(input), input.signal, work, SCAN_MS)
    } catch (error) {
      throw asSourceFailure(error)
    }
  }

  const stateOf = async (mailbox: Mailbox, folder: string) => {
    const { validity, nextUid, messages } = await mailbox.open(folder)
    return { state: `${validity} ${nextUid} ${messages}`, messages }
  }

  async function scan(input: Input, mailbox: Mailbox, folder: string): Promise<SourceMail[]> {
    const { messages } = await mailbox.open(folder)
    if (messages === 0) return []
    if (messages > MAX_MAILS)
      input.onLimit?.(`Of one folder the newest ${MAX_MAILS.toLocaleString('en')} mails are read.`, folder)
    const uids = await mailbox.search({ seq: newest(messages, MAX_MAILS) }, MAX_MAILS)
    const heads = await mailbox.heads(uids, HEAD_FIELDS)
    const mails: SourceMail[] = []
    for (const { uid, flags, source, receivedAt } of heads) {
      await yieldToEventLoop()
      if (flags.has(String.raw`\Deleted`)) continue
      mails.push({ headers: readMailHeaders(source), at: receivedAt, place: `${uid} ${folder}` })
    }
    return mails
  }

  const uidOf = (place: string) => Number(place.slice(0, place.indexOf(' ')))
  const folderOf = (place: string) => place.slice(place.indexOf(' ') + 1)

  /** The beginnings of mails, and what is attached to them, by their places. */
  async function readPlaces(input: Input, threads: readonly SourceThread[]): Promise<ReadPlaces> {
    const places = threads.flatMap(({ mails }) => mails.map(({ place }) => place))
    const byFolder = Map.groupBy(places, folderOf)
    return await inMailbox(input, async (mailbox) => {
      const sources = new Map<string, Uint8Array>()
      const parts = new Map<string, AttachedPart[]>()
      for (const [folder, some] of byFolder) {
        await mailbox.open(folder)
        const uids = some.map(uidOf)
        for (const { uid, source } of await mailbox.read(uids, TEXT_BYTES))
          sources.set(`${uid} ${folder}`, source)
        if (!input.config.attachments) continue
        for (const part of await mailbox.parts(uids)) {
          const place = `${part.uid} ${folder}`
          parts.set(place, [...(parts.get(place) ?? []), part])
        }
      }
      return { sources, parts }
    })
  }

  /** The content of a file, over a connection of its own. */
  async function fetchPart(input: Input, place: string, part: AttachedPart, maxBytes: number) {
    try {
      return await withMailbox(
        deps.outbound,
        serverOf(input),
        input.signal,
        async (mailbox) => {
          await mailbox.open(folderOf(place))
          const bytes = await mailbox.content(part, maxBytes)
          if (bytes === undefined) throw new ApiFailure('gone', 'The mail has no such file any more.')
          return bytes
        },
        SCAN_MS,
      )
    } catch (error) {
      // What is about this file alone.
      if (error instanceof MailFailure && (error.fault === 'refused' || error.fault === 'broken'))
        throw new ApiFailure('refused', error.message, { cause: error })
      throw asSourceFailure(error)
    }
  }

  const visibilityOf = ({ config }: Input) => (config.publish_all ? 'as-source' : 'restricted')

  async function* readThreads(input: Input, threads: readonly SourceThread[], asked?: AskedIds): SourceItems {
    const { sources, parts } = await readPlaces(input, threads)
    for (const thread of threads) {
      const url = `mid:${thread.mails[0]?.headers.messageId ?? thread.externalId}`
      const at = { thread, url, visibility: visibilityOf(input) } as const
      const filesOf = (mails: readonly ReadMail[]) =>
        mails.flatMap(({ mail }) =>
          (parts.get(mail.place) ?? []).map((part) => ({
            ...fileAt(at, mail, { at: part.part, name: part.name, bytes: part.bytes }),
            fetch: async (maxBytes: number) => await fetchPart(input, mail.place, part, maxBytes),
          })),
        )
      yield* itemsOfThread(deps, input, { ...at, sources, filesOf }, asked)
    }
  }

  /** What the folders have in this reading; their heads are read once. */
  const scanned = perReading((input: Input): Promise<Map<string, SourceThread>> =>
    inMailbox(input, async (mailbox) => {
      const mails: SourceMail[] = []
      for (const folder of input.config.folders) mails.push(...(await scan(input, mailbox, folder)))
      return new Map(threadsOf(mails).map((thread) => [thread.externalId, thread]))
    }),
  )

  async function* readIfChanged(
    input: Input,
    threads: Iterable<SourceThread>,
    asked?: AskedIds,
  ): SourceItems {
    let batch: SourceThread[] = []
    let size = 0
    for (const thread of threads) {
      const facts = factsOf(input, thread, visibilityOf(input))
      const unchanged = await unchangedWithFiles(deps, input, facts, filesWanted(input))
      if (unchanged !== undefined) {
        yield* unchanged
        continue
      }
      batch.push(thread)
      size += thread.mails.length
      if (size < AT_ONCE) continue
      yield* readThreads(input, batch, asked)
      batch = []
      size = 0
    }
    if (batch.length > 0) yield* readThreads(input, batch, asked)
  }

  async function* readItem(input: Input, externalId: string, asked: AskedIds | undefined): SourceItems {
    const thread = (await scanned(input)).get(externalId)
    if (thread === undefined) yield* goneWithFiles(input, { kind: 'removed', externalId })
    else yield* readIfChanged(input, [thread], asked)
  }

  return {
    type: 'mailbox',
    async *read(input) {
      const { folders } = input.config
      const known = Cursor.safeParse(input.cursor)
      const states = await inMailbox(input, async (mailbox) => {
        const found: Record<string, string> = {}
        for (const folder of folders) found[folder] = (await stateOf(mailbox, folder)).state
        return found
      })
      if (known.success && folders.every((folder) => known.data.folders[folder] === states[folder])) return
      const threads = await scanned(input)
      yield { kind: 'discovered', count: threads.size }
      yield* readIfChanged(input, threads.values())
      yield { kind: 'cursor', cursor: { folders: states } satisfies z.infer<typeof Cursor> }
      if (!known.success) yield { kind: 'complete' }
    },
    async *list(input) {
      for (const thread of (await scanned(input)).values())
        yield* listWithFiles(deps, input, factsOf(input, thread, visibilityOf(input)), filesWanted(input))
    },
    readItems: (input, externalIds) =>
      readItemsWithFiles(externalIds, (externalId, asked) => readItem(input, externalId, asked)),
    async check(input) {
      const { folders, publish_all: isPublished } = input.config
      return await inMailbox(input, async (mailbox) => {
        const sees: string[] = []
        for (const folder of folders)
          sees.push(`${(await stateOf(mailbox, folder)).messages} mails in ${folder}`)
        return {
          account: serverOf(input).user,
          sees,
          missing: isPublished
            ? []
            : [
                'Mail is restricted: public answers use none of it. If it is meant for everyone, set publish_all.',
              ],
        }
      })
    },
  }
}
