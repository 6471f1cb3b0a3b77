import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import { readMailHeaders } from '../../../kernel/mail-headers.ts'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { Parsing } from '../../parsing/parsing.ts'
import { parseShareOf, SourceFailure, type Connector, type ConnectorInput } from '../connector.ts'
import { goneWithFiles } from '../rest/item-files.ts'
import { fileAt, itemsOfThread, TEXT_BYTES, type MailDeps, type ReadMail } from './mail-document.ts'
import { threadsOf, type SourceMail, type SourceThread } from '../../../kernel/mail-threads.ts'
import { splitMbox } from '../../../kernel/split-mbox.ts'

export type MailArchiveConfig = SourceConfig<'mail_archive'>
type Input = ConnectorInput<MailArchiveConfig>

/** Of one file as it comes, and of all files of a source when they are unpacked. */
const MAX_FILE_BYTES = 50 * 1_048_576
const MAX_BYTES = 200 * 1_048_576
const TIMEOUT_MS = 120_000
const MAX_MAILS = 50_000
/** Of a mail that is read with what is attached to it. */
const MAX_WHOLE_BYTES = 48 * 1_048_576
const GZIP = Buffer.from([0x1f, 0x8b])

const unzip = promisify(gunzip)

/** For each file, what its server says of its version; and the conversations in them, unless there are too many. */
const Cursor = z.object({
  etags: z.record(z.string(), z.string()),
  ids: z.array(z.string()),
  /** The files that had mails, by their place in the config. */
  filled: z.array(z.int()).default([]),
})
type Cursor = z.infer<typeof Cursor>

/** Conversations whose ids are kept, to notice which are gone. Archives of lists only grow. */
const MAX_KEPT_IDS = 2_000

/** Archives grow: one that lost all its mails is a fault of its server. */
const hasNoMails = (url = '') =>
  new SourceFailure(
    `${url} has no mails. What is indexed of it is kept: enter its address again if it has moved, or take it out of this source.`,
  )

interface Opened {
  mails: SourceMail[]
  sources: Map<string, Uint8Array>
  /** The files with mails in them, by their place in the config. */
  filled: number[]
  /** Undefined: a server does not say which version a file is. */
  etags: Record<string, string> | undefined
}

/** Reads public archives of mailing lists: mbox files, each conversation as a document. */
export function createMailArchiveConnector(
  deps: MailDeps & { outbound: Pick<Outbound, 'fetchOutbound'>; readMailFile: Parsing['readMailFile'] },
): Connector<MailArchiveConfig> {
  async function request(address: string, input: Input, etag: string | undefined) {
    try {
      const response = await deps.outbound.fetchOutbound(address, {
        chosenBy: 'customer',
        headers: { accept: 'application/mbox, */*', ...(etag !== undefined && { 'if-none-match': etag }) },
        signal: input.signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_FILE_BYTES,
        followRedirects: true,
      })
      if (response.status === 304) return { isSame: true as const }
      if (response.status >= 300)
        throw new SourceFailure(
          `${address} answered with status ${response.status}: enter the address of an mbox file that everyone may read.`,
        )
      const bytes = Buffer.from(await response.bytes())
      return { isSame: false as const, bytes, etag: response.headers.get('etag') ?? undefined }
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      throw new SourceFailure(error.message, { cause: error })
    }
  }

  async function unpacked(address: string, bytes: Buffer, most: number): Promise<Buffer> {
    const tooLarge = () =>
      new SourceFailure(
        `The archives have more than ${MAX_BYTES / 1_048_576} MB in all: enter fewer of them in one source.`,
      )
    if (most <= 0) throw tooLarge()
    if (!bytes.subarray(0, 2).equals(GZIP)) {
      if (bytes.length > most) throw tooLarge()
      return bytes
    }
    try {
      return await unzip(bytes, { maxOutputLength: most })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
      throw new SourceFailure(`${address} is no mbox file: it could not be unpacked.`, { cause: error })
    }
  }

  /** Whether all files are as they were when they were read last. */
  async function isUnchanged(input: Input, etags: Record<string, string>): Promise<boolean> {
    for (const url of input.config.urls) {
      const etag = etags[url]
      if (etag === undefined || !(await request(url, input, etag)).isSame) return false
    }
    return true
  }

  async function openArchives(input: Input): Promise<Opened> {
    const opened: Opened = { mails: [], sources: new Map(), filled: [], etags: {} }
    let room = MAX_BYTES
    for (const [at, url] of input.config.urls.entries()) {
      const answer = await request(url, input, undefined)
      if (answer.isSame) throw new SourceFailure(`${url} did not answer as expected.`)
      const bytes = await unpacked(url, answer.bytes, room)
      room -= bytes.length
      if (answer.etag === undefined) opened.etags = undefined
      else if (opened.etags !== undefined) opened.etags[url] = answer.etag
      const most = MAX_MAILS - opened.mails.length
      const messages = await splitMbox(bytes, most + 1)
      if (messages.length > most)
        throw new SourceFailure(
          `The archives have more than ${MAX_MAILS} mails in all: enter fewer of them in one source.`,
        )
      if (messages.length > 0) opened.filled.push(at)
      if (messages.length === 0 && bytes.length > 0)
        throw new SourceFailure(`${url} is no mbox file: no line in it begins a mail.`)
      for (const [number, message] of messages.entries()) {
        await yieldToEventLoop()
        const headers = readMailHeaders(message)
        const place = `${at} ${number}`
        const isWhole = input.config.attachments && message.length <= MAX_WHOLE_BYTES
        opened.mails.push({ headers, at: headers.date ?? new Date(0), place })
        opened.sources.set(place, message.subarray(0, isWhole ? message.length : TEXT_BYTES))
      }
    }
    return opened
  }

  /** Where a reader finds the conversation: as its archive says, if that is on the same host. */
  function urlOf(input: Input, { mails: [first] }: SourceThread): string {
    const file = input.config.urls[Number(first?.place.split(' ')[0] ?? 0)] ?? input.config.urls[0] ?? ''
    const shown = URL.parse(first?.headers.archivedAt ?? '')
    return shown !== null && shown.host === URL.parse(file)?.host ? shown.href : file
  }

  return {
    type: 'mail_archive',
    async *read(input) {
      const known = Cursor.safeParse(input.cursor)
      if (known.success && (await isUnchanged(input, known.data.etags))) return
      const { mails, sources, filled, etags } = await openArchives(input)
      const had = known.success ? known.data.filled : []
      const emptied = mails.length === 0 ? 0 : had.find((at) => !filled.includes(at))
      if (emptied !== undefined) throw hasNoMails(input.config.urls[emptied])
      const threads = threadsOf(mails)
      yield { kind: 'discovered', count: threads.length }
      for (const thread of threads) {
        // A stranger may read them: they were read without credentials.
        const at = { thread, url: urlOf(input, thread), visibility: 'as-source' } as const
        const filesOf = (read: readonly ReadMail[]) =>
          read.flatMap(({ mail, parsed }) =>
            parsed.files.map((file, number) => ({
              ...fileAt(at, mail, { at: String(number), ...file }),
              fetch: async () =>
                await deps.readMailFile(
                  sources.get(mail.place) ?? new Uint8Array(),
                  number,
                  input.signal,
                  parseShareOf(input),
                ),
            })),
          )
        yield* itemsOfThread(deps, input, { ...at, sources, filesOf })
      }
      const ids = threads.map(({ externalId }) => externalId)
      if (known.success) {
        const there = new Set(ids)
        for (const externalId of known.data.ids)
          if (!there.has(externalId)) yield* goneWithFiles(input, { kind: 'removed', externalId })
      }
      if (etags !== undefined) {
        const cursor: Cursor = { etags, ids: ids.length > MAX_KEPT_IDS ? [] : ids, filled }
        yield { kind: 'cursor', cursor }
      }
      if (!known.success) yield { kind: 'complete' }
    },
  }
}
