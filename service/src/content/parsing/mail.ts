import PostalMime, { type Attachment, type Email } from 'postal-mime'
import type { MailFile, ParsedMail } from './parsed-mail.ts'
import { ParseFailure } from './parse-failure.ts'

const MAX_SUBJECT = 1_000
const MAX_NAME = 200
const MAX_TEXT = 400_000
/** Mails with more parts in each other, or with longer headers, are not written by people. */
const LIMITS = { maxNestingDepth: 40, maxHeadersSize: 524_288, maxRfc822NestingDepth: 0 }

/** More than connectors read. */
const MAX_FILES = 1_000
const MAX_FILE_NAME = 500

async function opened(bytes: Uint8Array): Promise<Email> {
  return await PostalMime.parse(bytes, LIMITS).catch((cause: unknown) => {
    throw new ParseFailure('This mail could not be read.', { cause })
  })
}

const contentOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)

/** Files that are attached, without what is shown within the text. */
const filesOf = (email: Email) =>
  email.attachments.filter(({ related }) => related !== true).slice(0, MAX_FILES)

const fileOf = (attachment: Attachment): MailFile => ({
  name: (attachment.filename ?? '').slice(0, MAX_FILE_NAME),
  bytes: contentOf(attachment).byteLength,
})

/**
 * The content of a file that is attached to a mail.
 *
 * @param at its place in `files` of the parsed mail
 * @throws ParseFailure
 */
export async function readMailFile(bytes: Uint8Array, at: number): Promise<Uint8Array> {
  const attachment = filesOf(await opened(bytes))[at]
  if (attachment === undefined) throw new ParseFailure('This mail has no such file.')
  return contentOf(attachment)
}

/**
 * What a person reads of a mail. It may be cut off anywhere.
 *
 * @throws ParseFailure
 */
export async function parseMail(bytes: Uint8Array): Promise<ParsedMail> {
  const email = await opened(bytes)
  const { text = '', html = '' } = email
  return {
    subject: (email.subject ?? '').slice(0, MAX_SUBJECT),
    sender: (email.from?.name ?? '').slice(0, MAX_NAME),
    text: text.slice(0, MAX_TEXT),
    html: html.slice(0, MAX_TEXT),
    files: filesOf(email).map(fileOf),
    isCut: text.length > MAX_TEXT || html.length > MAX_TEXT,
    // The HTML of a mail comes after its text.
    endsInText: email.attachments.length === 0 && (text === '' || html === ''),
  }
}
