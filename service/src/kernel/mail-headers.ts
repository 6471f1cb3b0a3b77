/** Of the beginning of a mail. */
const MAX_HEADERS = 65_536
const MAX_IDS = 50
const MAX_DATE = 80

/** The header fields of a mail that say what it answers, and who sent it. All of it may be forged. */
export interface MailHeaders {
  /** Without its angle brackets. Undefined: it has none, or one that cannot be searched for. */
  messageId: string | undefined
  /** Ids of the messages before it in its conversation, oldest first. */
  references: readonly string[]
  inReplyTo: string | undefined
  /** In lower case. Undefined: there is none, or several. */
  from: string | undefined
  /** When it was written, as its writer says. */
  date: Date | undefined
  /** Where an archive shows it (RFC 5064). */
  archivedAt: string | undefined
  /** Every field, unfolded, one a line. */
  fields: string
}

/** Printable ASCII without quotes, brackets and backslashes: what can be searched for, and written into a header. */
const ID = /^[!#-;=?-[\]-~]+$/
const LONGEST_ID = 900

/** What is between angle brackets. The first id tells the conversation, the last ones what is answered. */
function idsOf(value: string): string[] {
  const ids = value
    .split('<')
    .slice(1)
    .map((part) => part.slice(0, Math.max(part.indexOf('>'), 0)))
    .filter((id) => id.length <= LONGEST_ID && ID.test(id))
  return ids.length <= MAX_IDS ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_IDS)]
}

/** ASCII only: other letters of an address were decoded wrongly, and an answer would go elsewhere. */
const ADDRESS = /<([!-;=?A-~]{1,64}@[!-;=?A-~]{1,255})>/g
const BARE_ADDRESS = /^\s*([!#-'*+\--:=?A-~]{1,64}@[!#-'*+\--:=?A-~]{1,255})\s*$/

/** The one address of a From field; what is in quotes is a name. */
function addressOf(value: string): string | undefined {
  // bounded: at most 2,000 characters
  const text = value.slice(0, 2_000).replaceAll(/"(?:[^"\\]|\\.)*"/g, ' ')
  const bracketed = [...text.matchAll(ADDRESS)]
  const only = bracketed.length === 1 ? bracketed[0]?.[1] : undefined
  return (bracketed.length === 0 ? BARE_ADDRESS.exec(text)?.[1] : only)?.toLowerCase()
}

/** The fields of the head of a mail, each in one line, without what follows the head. */
function unfolded(source: Uint8Array): string {
  const text = Buffer.from(source.subarray(0, MAX_HEADERS)).toString('latin1').replaceAll('\r\n', '\n')
  const end = text.startsWith('\n') ? 0 : text.indexOf('\n\n')
  return (end === -1 ? text : text.slice(0, end)).replaceAll(/\n[ \t]/g, ' ')
}

const READ = new Set(['message-id', 'references', 'in-reply-to', 'from', 'date', 'archived-at'])

/** After 2100 a date is forged, and the database may not take it. */
const LAST_DATE = Date.UTC(2100, 0)

function dateOf(text: string): Date | undefined {
  const time = Date.parse(text.trim().slice(0, MAX_DATE))
  return time >= 0 && time < LAST_DATE ? new Date(time) : undefined
}

/** Reads the head of a mail, of which the beginning is enough. */
export function readMailHeaders(source: Uint8Array): MailHeaders {
  const fields = unfolded(source)
  const values = new Map<string, string[]>()
  for (const line of fields.split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (!READ.has(name)) continue
    const known = values.get(name)
    if (known === undefined) values.set(name, [line.slice(colon + 1)])
    else known.push(line.slice(colon + 1))
  }
  const one = (name: string) => values.get(name)?.[0] ?? ''
  return {
    messageId: idsOf(one('message-id'))[0],
    references: idsOf(one('references')),
    inReplyTo: idsOf(one('in-reply-to'))[0],
    from: (values.get('from') ?? []).length === 1 ? addressOf(one('from')) : undefined,
    date: dateOf(one('date')),
    archivedAt: /^\s*<?(https?:\/\/[!-;=?-~]{1,1000})>?\s*$/.exec(one('archived-at'))?.[1],
    fields,
  }
}
