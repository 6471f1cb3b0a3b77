import { hash } from 'node:crypto'
import type { MailHeaders } from '../../../kernel/mail-headers.ts'
import { ownWords } from '../../../kernel/own-words.ts'
import {
  escapeHtml,
  ParseFailure,
  tag,
  type ParsedDocument,
  type ParsedMail,
  type Parsing,
} from '../../parsing/parsing.ts'
import { parseShareOf, type ConnectorInput, type VisibilityAtSource, type SourceItems } from '../connector.ts'
import type { AskedIds, Attachment } from '../rest/attachments.ts'
import { readWithFiles } from '../rest/item-files.ts'
import type { ListedFacts } from '../rest/product-item.ts'
import { parseThread, UNREADABLE_MESSAGE, type ThreadMessage } from '../threads/thread-document.ts'
import { MAX_MAILS, type SourceMail, type SourceThread } from '../../../kernel/mail-threads.ts'

export interface MailDeps {
  parse: Parsing['parse']
  parseMail: Parsing['parseMail']
  /** Milliseconds since 1970. */
  now: () => number
}

const MAX_PARAGRAPHS = 2_000

const paragraphsOf = (text: string) => text.split(/\n[ \t]*\n/)

/** Text of a mail as HTML: nothing in it is markup. Indented lines stay as they are: they are code, or a table. */
function htmlOfText(text: string): string {
  return paragraphsOf(text)
    .slice(0, MAX_PARAGRAPHS)
    .map((paragraph) => {
      const lines = paragraph.split('\n').filter((line) => line.trim() !== '')
      if (lines.length === 0) return ''
      if (lines.every((line) => /^(?: {4}|\t)/.test(line)))
        return tag('pre', `\n${tag('code', escapeHtml(lines.join('\n')))}`)
      return tag('p', lines.map((line) => escapeHtml(line.trim())).join('<br>'))
    })
    .join('\n')
}

/** Characters of a word with an address in it. */
const MAX_WORD = 400
// bounded: at most 400 characters
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g

const withoutAddress = (word: string) =>
  word.length > MAX_WORD ? '[address]' : word.replaceAll(ADDRESS, '[address]')

/** What someone wrote, without the names of those who wrote here, and without addresses, which are those of people. */
function withoutPeople(text: string, roles: ReadonlyMap<string, string>): string {
  let said = text.replaceAll(/\S+/g, (word) => (word.includes('@') ? withoutAddress(word) : word))
  for (const [name, role] of roles) said = said.replaceAll(name, role)
  return said
}

export interface ReadMail {
  mail: SourceMail
  parsed: ParsedMail
  /** Its text is longer than what is read of it. */
  isCut: boolean
}

/** Names of two words at least: a first name may be a word. */
const isFullName = (name: string) => /\S\s+\S/.test(name)

const roleOf = ({ from }: MailHeaders, author: string | undefined) =>
  from !== undefined && from === author ? 'Author' : 'Participant'

function messageOf(
  { mail: { headers, at }, parsed }: ReadMail,
  given: { author: string | undefined; roles: ReadonlyMap<string, string>; showsNames: boolean },
): ThreadMessage {
  const { author, roles, showsNames } = given
  const written = at.toISOString()
  const text = parsed.text.trim() === '' ? undefined : ownWords(parsed.text)
  const shown = text === undefined || showsNames ? text : withoutPeople(text, roles)
  return {
    role: roleOf(headers, author),
    name: parsed.sender === '' ? headers.from : parsed.sender,
    at: written,
    body: { html: shown === undefined ? parsed.html : htmlOfText(shown) },
  }
}

/** The beginning of a subject that says that it is an answer. */
// bounded: at most 1,000 characters
const ANSWER = /^(?:(?:re|aw|sv|fwd?|wg|antw)\s{0,3}:\s{0,10}){1,20}/i

/** Bytes of a mail that are read for its text. */
export const TEXT_BYTES = 131_072

const LONG_CONVERSATION = `Of one conversation the first ${MAX_MAILS} mails are read.`
const LONG_MAIL = `Of one mail the first ${TEXT_BYTES / 1_024} KiB of text are read, and ${MAX_PARAGRAPHS.toLocaleString('en')} paragraphs.`

/** A conversation as a source has it. */
export interface ThreadToRead {
  thread: SourceThread
  url: string
  visibility: VisibilityAtSource
  /** The mails by their places; those that are gone are not in it. May throw `ApiFailure`. */
  sources: ReadonlyMap<string, Uint8Array>
  /** What is attached to its mails. */
  filesOf: (mails: readonly ReadMail[]) => Promise<Attachment[]> | Attachment[]
}

/** Settings of all types of mail. */
export type MailSettings = ConnectorInput<{ show_names: boolean; attachments: boolean }>

export const filesWanted = ({ config }: MailSettings) => ({ isOn: config.attachments })

/** What tells of a conversation whether it, and what is attached, has to be read again. */
export const factsOf = (
  { config }: MailSettings,
  { externalId, changed }: SourceThread,
  visibility: VisibilityAtSource,
): ListedFacts => ({ externalId, changed: markerOf(changed, config.show_names), visibility })

/** A file at a mail, as its place in the conversation names it. @param at its place in the mail */
export const fileAt = (
  { thread, url, visibility }: Pick<ThreadToRead, 'thread' | 'url' | 'visibility'>,
  { headers: { messageId }, place }: SourceMail,
  file: { at: string; name: string; bytes: number | undefined },
): Omit<Attachment, 'fetch'> => {
  const name = file.name.toWellFormed()
  const address = messageId !== undefined && url.startsWith('mid:') ? `mid:${messageId}` : url
  return {
    of: thread.externalId,
    // Mails never change; a mail that is moved keeps its id.
    id: `${hash('sha256', messageId ?? place).slice(0, 16)}.${file.at}`,
    name,
    bytes: file.bytes,
    version: String(file.bytes ?? ''),
    url: `${address.split('#')[0]}#${file.at}/${encodeURIComponent(name)}`,
    visibility,
  }
}

async function readMails(
  deps: MailDeps,
  input: MailSettings,
  { thread, sources }: ThreadToRead,
): Promise<ReadMail[]> {
  const read: ReadMail[] = []
  for (const mail of thread.mails) {
    const source = sources.get(mail.place)
    if (source === undefined) continue
    const parsed = await deps.parseMail(source, input.signal, parseShareOf(input)).catch((error: unknown) => {
      if (error instanceof ParseFailure) return undefined
      throw error
    })
    if (parsed === undefined) continue
    const endsEarly = source.length >= TEXT_BYTES && parsed.endsInText
    const isLong = paragraphsOf(parsed.text).length > MAX_PARAGRAPHS
    read.push({ mail, parsed, isCut: parsed.isCut || endsEarly || isLong })
  }
  return read
}

async function documentOf(
  deps: MailDeps,
  input: MailSettings,
  { url, thread, sources }: Pick<ThreadToRead, 'url' | 'thread' | 'sources'>,
  read: readonly ReadMail[],
): Promise<ParsedDocument> {
  const { show_names: showsNames } = input.config
  if (read.length === 0) throw new ParseFailure('none of its mails could be read')
  const author = read[0]?.mail.headers.from
  const roles = new Map(
    read
      .filter(({ parsed }) => isFullName(parsed.sender))
      .map(({ parsed, mail }) => [parsed.sender, roleOf(mail.headers, author)]),
  )
  const subject = read.find(({ parsed }) => parsed.subject.trim() !== '')?.parsed.subject ?? ''
  const found = thread.mails.filter(({ place }) => sources.has(place))
  return await parseThread(deps, input, {
    leftOut: [
      ...(thread.isCut ? [LONG_CONVERSATION] : []),
      ...(read.some(({ isCut }) => isCut) ? [LONG_MAIL] : []),
      ...(read.length < found.length ? [UNREADABLE_MESSAGE] : []),
    ],
    title: subject.trim().replace(ANSWER, '') || 'Mail without a subject',
    url,
    about: '',
    messages: read.map((one) => messageOf(one, { author, roles, showsNames })),
    showsNames,
  })
}

/** Makes a document of a conversation, and of each file that is attached to its mails. */
export async function* itemsOfThread(
  deps: MailDeps,
  input: MailSettings,
  given: ThreadToRead,
  asked?: AskedIds,
): SourceItems {
  const { thread, url, visibility, sources } = given
  const facts = factsOf(input, thread, visibility)
  // Without a mail that was moved since the heads were read, it is to be read again.
  const isWhole = thread.mails.every(({ place }) => sources.has(place))
  const changed = isWhole ? facts.changed : `${facts.changed} in part`
  const open = async () => {
    const read = await readMails(deps, input, given)
    return {
      files: input.config.attachments ? await given.filesOf(read) : [],
      document: async () => ({
        document: await documentOf(deps, input, given, read),
        modified: thread.mails.at(-1)?.at.toISOString(),
      }),
    }
  }
  const item = { ...facts, changed, url, open }
  yield* readWithFiles(deps, input, item, filesWanted(input), asked)
}

/** What is compared to know whether a conversation has to be read again. */
const markerOf = (changed: string, showsNames: boolean) => `${changed} ${showsNames}`
