import type { MailHeaders } from '../../../kernel/mail-headers.ts'
import { ownWords } from '../../../kernel/own-words.ts'
import { escapeHtml, ParseFailure, tag, type ParsedMail, type Parsing } from '../../parsing/parsing.ts'
import {
  markerMemory,
  parseShareOf,
  type ConnectorInput,
  type SourceItem,
  type VisibilityAtSource,
} from '../connector.ts'

import { parseThread, type ThreadMessage } from '../threads/thread-document.ts'
import type { SourceMail, SourceThread } from '../../../kernel/mail-threads.ts'

export interface MailDeps {
  parse: Parsing['parse']
  parseMail: Parsing['parseMail']
}

const MAX_PARAGRAPHS = 2_000

/** Text of a mail as HTML: nothing in it is markup. Indented lines stay as they are: they are code, or a table. */
function htmlOfText(text: string): string {
  return text
    .split(/\n[ \t]*\n/)
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

interface ReadMail {
  mail: SourceMail
  parsed: ParsedMail
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

/** Makes a document of a conversation, whose mails have been read. */
export async function documentOfThread(
  deps: MailDeps,
  input: ConnectorInput<unknown>,
  given: {
    thread: SourceThread
    sources: ReadonlyMap<string, Uint8Array>
    url: string
    showsNames: boolean
    visibility: VisibilityAtSource
  },
): Promise<SourceItem> {
  const { thread, sources, url, showsNames, visibility } = given
  const { externalId, mails, changed } = thread
  const read: ReadMail[] = []
  try {
    for (const mail of mails) {
      const source = sources.get(mail.place)
      if (source === undefined) continue
      const parsed = await deps
        .parseMail(source, input.signal, parseShareOf(input))
        .catch((error: unknown) => {
          if (error instanceof ParseFailure) return undefined
          throw error
        })
      if (parsed !== undefined) read.push({ mail, parsed })
    }
    if (read.length === 0)
      return {
        kind: 'failed',
        url,
        reason: 'none of its mails could be read',
        externalId,
        memory: undefined,
        visibility,
      }
    const author = read[0]?.mail.headers.from
    const roles = new Map(
      read
        .filter(({ parsed }) => isFullName(parsed.sender))
        .map(({ parsed, mail }) => [parsed.sender, roleOf(mail.headers, author)]),
    )
    const subject = read.find(({ parsed }) => parsed.subject.trim() !== '')?.parsed.subject ?? ''
    const document = await parseThread(deps, input, {
      title: subject.trim().replace(ANSWER, '') || 'Mail without a subject',
      url,
      about: '',
      messages: read.map((one) => messageOf(one, { author, roles, showsNames })),
      showsNames,
    })
    return {
      kind: 'document',
      externalId,
      url,
      document,
      modifiedAt: mails.at(-1)?.at,
      memory: markerMemory(externalId, markerOf(changed, showsNames)),
      visibility,
    }
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error
    return { kind: 'failed', url, reason: error.message, externalId, memory: undefined, visibility }
  }
}

/** What is compared to know whether a conversation has to be read again. */
export const markerOf = (changed: string, showsNames: boolean) => `${changed} ${showsNames}`
