/** Settings of mail servers: the password goes where they say, and as safely as they say. */
const MAIL_SETTINGS = [
  'imap_host',
  'imap_port',
  'imap_security',
  'smtp_host',
  'smtp_port',
  'smtp_security',
] as const

/**
 * Scheme, host and port that the credentials of an integration are sent to: `config.api_url`, wherever a platform has an instance of its own,
 * or its mail servers. Undefined: the usual address of its platform. What is no address is itself, so that a change of it is seen.
 */
export function addressOrigin(config: Record<string, unknown>): string | undefined {
  const mail = MAIL_SETTINGS.map((name) => config[name] ?? null)
  const given = config['api_url'] ?? undefined
  const servers = mail.every((value) => value === null) ? '' : JSON.stringify(mail)
  if (given === undefined) return servers === '' ? undefined : servers
  const url = typeof given === 'string' ? URL.parse(given) : null
  return (url === null ? JSON.stringify(given) : `${url.protocol}//${url.host}`) + servers
}
