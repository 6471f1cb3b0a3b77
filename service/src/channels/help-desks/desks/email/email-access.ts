import { withMailbox, type Mailbox } from '../../../../platform/outbound/mail/open-mailbox.ts'
import type { ParsedMail } from '../../../../content/parsing/parsing.ts'
import { MailFailure, type MailOutbound } from '../../../../platform/outbound/mail/mail-server.ts'
import { DeskFailure, type DeskAccount } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { missingSettings, readEmailAccount, type EmailAccount } from './email-settings.ts'
import type { MailboxPlaces } from './mailbox-places.ts'
import { findFolders, type Folders } from './email-thread.ts'

export interface EmailDeps {
  outbound: MailOutbound
  /** @throws ParseFailure */
  parseMail: (bytes: Uint8Array, signal: AbortSignal) => Promise<ParsedMail>
}

/** What every step of the e-mail desk needs. */
export interface EmailDesk extends DeskAccount, EmailDeps {
  lately: AnswersLately
  places: MailboxPlaces
}

/** A mailbox that is open, and its account. */
export interface EmailAccess {
  mailbox: Mailbox
  account: EmailAccount
  folders: Folders
}

/** Opens the mailbox of an integration for what is done in it. @throws MailFailure, also if settings are missing */
export async function inMailbox<Result>(
  desk: EmailDesk,
  work: (access: EmailAccess) => Promise<Result>,
): Promise<Result> {
  const [missing] = missingSettings(desk)
  if (missing !== undefined) throw new MailFailure('address', missing)
  const account = readEmailAccount(desk)
  const leave = await desk.places.take(account.reading, desk.signal)
  try {
    return await withMailbox(desk.outbound, account.reading, desk.signal, async (mailbox) => {
      return await work({ mailbox, account, folders: await findFolders(mailbox, account) })
    })
  } finally {
    leave()
  }
}

/** Reads from the mailbox of an integration. @throws DeskFailure in words for the owner */
export async function readMailbox<Result>(
  desk: EmailDesk,
  work: (access: EmailAccess) => Promise<Result>,
): Promise<Result> {
  try {
    return await inMailbox(desk, work)
  } catch (failure) {
    if (!(failure instanceof MailFailure)) throw failure
    throw new DeskFailure(`The mailbox could not be read: ${failure.message}`)
  }
}
