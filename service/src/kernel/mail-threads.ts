import { hash } from 'node:crypto'
import type { MailHeaders } from './mail-headers.ts'

/** A mail of a source, before its text is read. */
export interface SourceMail {
  headers: MailHeaders
  /** When a server got it; without one, when its writer says. Forged dates are in the future. */
  at: Date
  /** Where its text is. */
  place: string
}

/** A conversation. */
export interface SourceThread {
  /** Stays the same when mails come to it. */
  externalId: string
  /** Oldest first. */
  mails: readonly SourceMail[]
  /** Differs when its mails are others. */
  changed: string
  /** It has more mails than these. */
  isCut: boolean
}

/** Steps towards the first mail of a conversation, for programs that name only the mail before. */
const MAX_STEPS = 100
/** Mails of one conversation; the first ones. */
export const MAX_MAILS = 200

const idOf = ({ headers: { messageId }, place }: SourceMail) => messageId ?? place

/** What a conversation is known by, of the id of its first message. */
export const threadIdOf = (messageId: string): string => hash('sha256', messageId).slice(0, 20)

/** Puts mails together by the ids of what they answer. Subjects decide nothing, and a mail that is there twice counts once. */
export function threadsOf(mails: readonly SourceMail[]): SourceThread[] {
  const byId = new Map<string, SourceMail>()
  for (const mail of mails) if (!byId.has(idOf(mail))) byId.set(idOf(mail), mail)

  function rootOf(mail: SourceMail): string {
    let root = idOf(mail)
    let at: SourceMail | undefined = mail
    for (let step = 0; at !== undefined && step < MAX_STEPS; step += 1) {
      const { references, inReplyTo }: MailHeaders = at.headers
      const before = references[0] ?? inReplyTo
      if (before === undefined || before === root) return root
      root = before
      at = byId.get(before)
    }
    return root
  }

  const byRoot = new Map<string, SourceMail[]>()
  for (const mail of byId.values()) {
    const root = rootOf(mail)
    const known = byRoot.get(root)
    if (known === undefined) byRoot.set(root, [mail])
    else known.push(mail)
  }
  return [...byRoot].map(([root, all]) => {
    const ordered = all.toSorted((one, other) => one.at.getTime() - other.at.getTime()).slice(0, MAX_MAILS)
    return {
      externalId: threadIdOf(root),
      mails: ordered,
      changed: hash('sha256', ordered.map(idOf).join('\n')).slice(0, 40),
      isCut: ordered.length < all.length,
    }
  })
}
