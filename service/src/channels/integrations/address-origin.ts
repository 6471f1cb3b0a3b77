/**
 * Scheme, host and port that the credentials of an integration are sent to: `config.api_url`, wherever a platform has an instance of its own.
 * Undefined: the usual address of its platform. What is no address is itself, so that a change of it is seen.
 */
export function addressOrigin(config: Record<string, unknown>): string | undefined {
  const given = config['api_url'] ?? undefined
  if (given === undefined) return undefined
  const url = typeof given === 'string' ? URL.parse(given) : null
  return url === null ? JSON.stringify(given) : `${url.protocol}//${url.host}`
}
