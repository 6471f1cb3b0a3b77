/** Values of Precedence that programs send. */
const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply'])
/** What lists add to the mails of people. */
const OF_LISTS = new Set(['list-id', 'list-unsubscribe', 'list-post'])
/** Headers, and the values with which they say it. */
const SAYS_SO = new Map<string, (value: string) => boolean>([
  ['auto-submitted', (value) => value !== 'no'],
  ['precedence', (value) => BULK.has(value)],
  ['list-id', () => true],
  ['list-unsubscribe', () => true],
  ['x-autoreply', () => true],
  ['x-auto-response-suppress', (value) => value !== 'none' && value !== ''],
  ['list-post', () => true],
  ['x-auto-response-for', () => true],
  ['x-loop', () => true],
  ['x-failed-recipients', () => true],
  ['content-type', (value) => /^multipart\/report|^message\/(?:delivery|disposition)/.test(value)],
  // Who wrote it is not known: an answer would go to somebody else.
  ['authentication-results', (value) => /\bdmarc=fail\b/.test(value)],
  ['return-path', (value) => value === '<>'],
  ['from', (value) => /(?:mailer-daemon|postmaster|no-?reply)@/.test(value)],
])

const MAX_HEADERS = 32_768

/**
 * Whether a mail was sent by a program: an absence, a bounce, a mailing list (RFC 3834, section 2). Such mail is never answered, so that no
 * two programs answer each other.
 *
 * @param headers as they are in the mail, one a line
 * @param given.takesLists whether people write by mailing lists: what came by one may be theirs
 */
export function isAutomaticMail(headers: string, { takesLists = false } = {}): boolean {
  for (const line of headers.slice(0, MAX_HEADERS).split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    if (takesLists && (OF_LISTS.has(name) || (name === 'precedence' && value === 'list'))) continue
    if (SAYS_SO.get(name)?.(value) === true) return true
  }
  return false
}
