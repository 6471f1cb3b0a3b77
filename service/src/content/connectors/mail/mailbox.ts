import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { readMailHeaders } from '../../../kernel/mail-headers.ts'
import { createEventLoopYield } from '../../../kernel/yield-to-event-loop.ts'
import {
  MailFailure,
  type MailOutbound,
  type MailServer,
} from '../../../platform/outbound/mail/mail-server.ts'
import { newest, withMailbox, type Mailbox } from '../../../platform/outbound/mail/open-mailbox.ts'
import {
  markerMemory,
  SourceFailure,
  type Connector,
  type ConnectorInput,
  type ListedItem,
  type SourceAccess,
  type SourceItem,
} from '../connector.ts'
import { perReading } from '../rest/api-connector.ts'
import { documentOfThread, markerOf, type MailDeps } from './mail-document.ts'
import { threadsOf, type SourceMail, type SourceThread } from '../../../kernel/mail-threads.ts'

export type MailboxConfig = SourceConfig<'mailbox'>
type Input = ConnectorInput<MailboxConfig>

/** Mails of a folder that are looked at: the newest ones. */
const MAX_MAILS = 20_000
const MAIL_BYTES = 131_072
/** Mails that are read on one connection, and kept in memory. */
const AT_ONCE = 100
const SCAN_MS = 10 * 60 * 1_000
const HEAD_FIELDS = ['message-id', 'references', 'in-reply-to', 'from', 'date']

/** For each folder, what changes when a mail comes or goes. */
const Cursor = z.object({ folders: z.record(z.string(), z.string()) })

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

  async function scan(mailbox: Mailbox, folder: string): Promise<SourceMail[]> {
    const { messages } = await mailbox.open(folder)
    if (messages === 0) return []
    const uids = await mailbox.search({ seq: newest(messages, MAX_MAILS) }, MAX_MAILS)
    const heads = await mailbox.heads(uids, HEAD_FIELDS)
    const mails: SourceMail[] = []
    const others = createEventLoopYield()
    for (const { uid, flags, source, receivedAt } of heads) {
      await others()
      if (flags.has(String.raw`\Deleted`)) continue
      mails.push({ headers: readMailHeaders(source), at: receivedAt, place: `${uid} ${folder}` })
    }
    return mails
  }

  const uidOf = (place: string) => Number(place.slice(0, place.indexOf(' ')))
  const folderOf = (place: string) => place.slice(place.indexOf(' ') + 1)

  async function sourcesOf(input: Input, threads: readonly SourceThread[]): Promise<Map<string, Uint8Array>> {
    const places = threads.flatMap(({ mails }) => mails.map(({ place }) => place))
    const byFolder = Map.groupBy(places, folderOf)
    return await inMailbox(input, async (mailbox) => {
      const sources = new Map<string, Uint8Array>()
      for (const [folder, some] of byFolder) {
        await mailbox.open(folder)
        for (const { uid, source } of await mailbox.read(some.map(uidOf), MAIL_BYTES))
          sources.set(`${uid} ${folder}`, source)
      }
      return sources
    })
  }

  const visibilityOf = ({ config }: Input) => (config.publish_all ? 'as-source' : 'restricted')

  async function* readThreads(
    input: Input,
    threads: readonly SourceThread[],
  ): AsyncGenerator<SourceItem, void, void> {
    const sources = await sourcesOf(input, threads)
    for (const thread of threads) {
      const url = `mid:${thread.mails[0]?.headers.messageId ?? thread.externalId}`
      const showsNames = input.config.show_names
      yield await documentOfThread(deps, input, {
        thread,
        sources,
        url,
        showsNames,
        visibility: visibilityOf(input),
      })
    }
  }

  /** What the folders have in this reading; their heads are read once. */
  const scanned = perReading((input: Input): Promise<Map<string, SourceThread>> =>
    inMailbox(input, async (mailbox) => {
      const mails: SourceMail[] = []
      for (const folder of input.config.folders) mails.push(...(await scan(mailbox, folder)))
      return new Map(threadsOf(mails).map((thread) => [thread.externalId, thread]))
    }),
  )

  async function* readIfChanged(
    input: Input,
    threads: Iterable<SourceThread>,
  ): AsyncGenerator<SourceItem, void, void> {
    let batch: SourceThread[] = []
    let size = 0
    for (const thread of threads) {
      const { externalId, changed } = thread
      const marker = markerOf(changed, input.config.show_names)
      if ((await input.recall(externalId))?.etag === marker) {
        const memory = markerMemory(externalId, marker)
        yield { kind: 'unchanged', externalId, memory, visibility: visibilityOf(input) }
        continue
      }
      batch.push(thread)
      size += thread.mails.length
      if (size < AT_ONCE) continue
      yield* readThreads(input, batch)
      batch = []
      size = 0
    }
    if (batch.length > 0) yield* readThreads(input, batch)
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
    async *list(input): AsyncGenerator<ListedItem, void, void> {
      for (const { externalId, changed } of (await scanned(input)).values())
        yield { externalId, changed: markerOf(changed, input.config.show_names) }
    },
    async *readItems(input, externalIds) {
      const threads = await scanned(input)
      for (const externalId of externalIds)
        if (!threads.has(externalId)) yield { kind: 'removed', externalId }
      yield* readIfChanged(
        input,
        externalIds.flatMap((id) => threads.get(id) ?? []),
      )
    },
    async check(input): Promise<SourceAccess> {
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
