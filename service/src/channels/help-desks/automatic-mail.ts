/** Values of Precedence that programs send. */
const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply'])
const MAX_HEADERS = 32_768

/**
 * Whether a mail was sent by a program: an absence, a bounce, a mailing list (RFC 3834, section 2). Such mail is never answered, so that no
 * two programs answer each other.
 *
 * @param headers as they are in the mail, one a line
 */
export function isAutomaticMail(headers: string): boolean {
  for (const line of headers.slice(0, MAX_HEADERS).split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    if (name === 'auto-submitted' && value !== 'no') return true
    if (name === 'precedence' && BULK.has(value)) return true
    if (name === 'list-id' || name === 'list-unsubscribe' || name === 'x-autoreply') return true
    if (name === 'x-auto-response-suppress' && value !== 'none' && value !== '') return true
    if (name === 'return-path' && value === '<>') return true
    if (name === 'from' && /(?:mailer-daemon|postmaster|no-?reply)@/.test(value)) return true
  }
  return false
}
