import type { MailServer } from '../../../../platform/outbound/mail/mail-server.ts'
import type { DeskAccount } from '../../help-desk.ts'

/** An account of mail as its owner set it. */
export interface EmailAccount {
  /** In lower case: answers come from it. */
  address: string
  /** The name beside it; empty: none. */
  name: string
  inbox: string
  /** Undefined: as the server says. */
  sent: string | undefined
  drafts: string | undefined
  reading: MailServer
  sending: MailServer
  /** Whether a sender is of the team. */
  isTeam: (address: string) => boolean
}

const READING = { port: 993, starttls: 143 }
const SENDING = { port: 465, starttls: 587 }
const MAX_SETTING = 300

const ADDRESS = /^[^\s@<>(),;:"]{1,64}@[a-z0-9.-]{1,253}$/i
const HOST = /^[a-z0-9._-]{1,253}$|^[0-9a-f:]{2,45}$/i

/** The addresses of a team. */
const MAX_TEAM = 20_000

const settingOf = (config: Record<string, unknown>, name: string, most = MAX_SETTING): string | undefined => {
  const value = config[name]
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, most) : undefined
}

function portOf(given: string | undefined, usual: number): number {
  const port = given === undefined ? usual : Number(given)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0
}

function serverOf(
  config: Record<string, unknown>,
  kind: 'imap' | 'smtp',
  login: { user: string; password: string },
): MailServer {
  const usual = kind === 'imap' ? READING : SENDING
  const port = portOf(settingOf(config, `${kind}_port`), usual.port)
  const given = settingOf(config, `${kind}_security`)
  const security = given === 'tls' || given === 'starttls' || given === 'none' ? given : undefined
  return {
    host: settingOf(config, `${kind}_host`) ?? '',
    port,
    security: security ?? (port === usual.starttls ? 'starttls' : 'tls'),
    ...login,
  }
}

const lower = (text: string) => text.trim().toLowerCase()

/** Reads the settings; what is missing is empty, and said by `missingSettings`. */
export function readEmailAccount({
  config,
  credentials,
}: Pick<DeskAccount, 'config' | 'credentials'>): EmailAccount {
  const address = lower(settingOf(config, 'address') ?? '')
  const login = { user: settingOf(config, 'username') ?? address, password: credentials['password'] ?? '' }
  const team = (settingOf(config, 'team', MAX_TEAM) ?? '').split(',').map(lower)
  const own = new Set([address, ...team.filter((one) => !one.startsWith('@'))])
  const domains = team.filter((one) => one.length > 1 && one.startsWith('@'))
  const smtpUser = settingOf(config, 'smtp_username')
  const sending =
    smtpUser === undefined ? login : { user: smtpUser, password: credentials['smtp_password'] ?? '' }
  return {
    address,
    name: (settingOf(config, 'from_name') ?? '').replaceAll(/[\r\n"<>\\]/g, ' ').trim(),
    inbox: settingOf(config, 'folder') ?? 'INBOX',
    sent: settingOf(config, 'sent_folder'),
    drafts: settingOf(config, 'drafts_folder'),
    reading: serverOf(config, 'imap', login),
    sending: serverOf(config, 'smtp', sending),
    isTeam: (sender) => own.has(sender) || domains.some((domain) => sender.endsWith(domain)),
  }
}

const SECURITIES: readonly (string | undefined)[] = [undefined, 'tls', 'starttls', 'none']

/** What has to be set before anything is connected to. */
export function* missingSettings(account: DeskAccount): Generator<string> {
  const { address, reading, sending } = readEmailAccount(account)
  const { config, credentials } = account
  if (!ADDRESS.test(address))
    yield 'The setting address is missing, or is no e-mail address: the one that customers write to, such as help@example.com.'
  for (const [kind, server] of [
    ['imap', reading],
    ['smtp', sending],
  ] as const) {
    if (!HOST.test(server.host))
      yield `The setting ${kind}_host is missing, or is no host name: such as ${kind}.example.com.`
    if (server.port === 0)
      yield `The setting ${kind}_port is no port: ${kind === 'imap' ? '993 or 143' : '465 or 587'}.`
    if (!SECURITIES.includes(settingOf(config, `${kind}_security`)))
      yield `The setting ${kind}_security is not tls, starttls or none.`
  }
  if ((credentials['password'] ?? '') === '')
    yield 'The credential password is missing: that of the mailbox, or an app password.'
}
