import PostalMime from 'postal-mime'
import type { ParsedMail } from './parsed-mail.ts'
import { ParseFailure } from './parse-failure.ts'

const MAX_SUBJECT = 1_000
const MAX_NAME = 200
const MAX_TEXT = 400_000
/** Mails with more parts in each other, or with longer headers, are not written by people. */
const LIMITS = { maxNestingDepth: 40, maxHeadersSize: 524_288, maxRfc822NestingDepth: 0 }

/**
 * What a person reads of a mail. It may be cut off anywhere.
 *
 * @throws ParseFailure
 */
export async function parseMail(bytes: Uint8Array): Promise<ParsedMail> {
  const email = await PostalMime.parse(bytes, LIMITS).catch((cause: unknown) => {
    throw new ParseFailure('This mail could not be read.', { cause })
  })
  return {
    subject: (email.subject ?? '').slice(0, MAX_SUBJECT),
    sender: (email.from?.name ?? '').slice(0, MAX_NAME),
    text: (email.text ?? '').slice(0, MAX_TEXT),
    html: (email.html ?? '').slice(0, MAX_TEXT),
  }
}
