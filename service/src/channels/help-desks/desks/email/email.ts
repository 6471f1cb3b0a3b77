import { MailFailure } from '../../../../platform/outbound/mail/mail-server.ts'
import { newest } from '../../../../platform/outbound/mail/open-mailbox.ts'
import { sendMail } from '../../../../platform/outbound/mail/send-mail.ts'
import { readDeskSettings } from '../../desk-settings.ts'
import type { DeskAccount, DeskCheck, HelpDesk } from '../../help-desk.ts'
import { createAnswersLately } from '../answers-lately.ts'
import { inMailbox, type EmailAccess, type EmailDeps, type EmailDesk } from './email-access.ts'
import { changedConversations } from './email-changes.ts'
import { postByEmail } from './email-posts.ts'
import { createMailboxPlaces } from './mailbox-places.ts'
import { missingSettings, readEmailAccount } from './email-settings.ts'
import { readEmailTicket } from './email-ticket.ts'
import { readMailHeaders } from '../../../../kernel/mail-headers.ts'

const HEADER_BYTES = 32_768

/** Whether the server finds messages by their headers: conversations are read so. */
async function isSearchable({ mailbox }: EmailAccess, messages: number): Promise<boolean> {
  if (messages === 0) return true
  const uids = await mailbox.search({ seq: newest(messages, 20) }, 20)
  for (const { uid, source } of await mailbox.read(uids, HEADER_BYTES)) {
    const [root] = readMailHeaders(source).references
    if (root === undefined) continue
    return (await mailbox.search({ header: { references: root } }, 1_000)).includes(uid)
  }
  return true
}

async function* missingInMailbox(access: EmailAccess, desk: EmailDesk): AsyncGenerator<string> {
  const { mailbox, folders } = access
  const { mode, handOverTo } = readDeskSettings(desk.config, 'tickets')
  const { messages } = await mailbox.open(folders.inbox)
  if (!(await isSearchable(access, messages)))
    yield 'The mail server does not find messages by the header References, so conversations cannot be followed: it cannot be used here.'
  const wanted = [
    { path: folders.sent, setting: 'sent_folder', is: 'for sent mail' },
    { path: folders.drafts, setting: 'drafts_folder', is: 'for drafts' },
    { path: handOverTo, setting: 'hand_over_to', is: 'for who takes over' },
  ]
  for (const { path, setting, is } of wanted) {
    if (setting === 'hand_over_to' && path === undefined) continue
    if (setting === 'drafts_folder' && mode !== 'draft' && path === undefined) continue
    const isThere =
      path !== undefined &&
      (await mailbox.open(path).then(
        () => true,
        (failure: unknown) => {
          if (failure instanceof MailFailure && failure.fault === 'refused') return false
          throw failure
        },
      ))
    if (!isThere)
      yield `The mailbox has no folder ${is}${path === undefined ? '' : ` named ${path.slice(0, 80)}`}: create it, or change ${setting}.`
  }
}

async function check(desk: EmailDesk): Promise<DeskCheck> {
  const problems = [...missingSettings(desk)]
  if (problems.length > 0) return { account: undefined, problems }
  const account = readEmailAccount(desk)
  let isOpen = false
  try {
    await inMailbox(desk, async (access) => {
      isOpen = true
      for await (const problem of missingInMailbox(access, desk)) problems.push(problem)
    })
  } catch (failure) {
    if (!(failure instanceof MailFailure)) throw failure
    problems.push(`Reading: ${failure.message}`)
  }
  const sent = await sendMail(desk.outbound, account.sending, undefined, desk.signal)
  if (sent.is !== 'sent') problems.push(`Sending: ${sent.failure.message}`)
  return { account: isOpen ? account.address : undefined, problems }
}

/** A mailbox, by IMAP and SMTP. It is read for new mail, because it tells nothing. */
export function createEmailDesk(deps: EmailDeps & { now: () => Date }): HelpDesk {
  const lately = createAnswersLately(() => deps.now().getTime())
  const places = createMailboxPlaces()
  const of = (account: DeskAccount): EmailDesk => ({ ...account, ...deps, lately, places })
  return {
    handles: 'tickets',
    spacingMs: 0,
    // Each reading signs in anew.
    readEveryMs: 60_000,
    keepsDrafts: true,
    changes: (cursor, account) => changedConversations(cursor, of(account)),
    ticket: (id, account) => readEmailTicket(id, of(account)),
    post: (id, act, etag, account) => postByEmail(id, act, etag, of(account)),
    check: (account) => check(of(account)),
    setup: {
      credentials: {
        password: 'Of the mailbox; with two-step sign-in, an app password.',
        smtp_password: 'For sending: only with smtp_username.',
      },
      settings: {
        address: 'Where customers write to, and answers come from.',
        imap_host: 'The server that the mailbox is read from.',
        imap_port: '993 (the usual, TLS) or 143 (STARTTLS).',
        smtp_host: 'The server that answers are sent by.',
        smtp_port: '465 (the usual, TLS) or 587 (STARTTLS).',
        username: 'Of the mailbox, if it is not its address.',
        smtp_username: 'For sending, if it is another one.',
        from_name: 'The name beside the address in answers.',
        folder: 'Where mail of customers is: INBOX, the usual.',
        sent_folder: 'If the server does not say which it is.',
        drafts_folder: 'If the server does not say which it is.',
        team: 'Addresses of your team, with commas between them; @example.com is everyone there.',
        hand_over_to: 'The folder that a conversation is moved to when its customer writes again.',
        imap_security: 'tls, starttls, or none in a private network.',
        smtp_security: 'tls, starttls, or none in a private network.',
      },
    },
  }
}
