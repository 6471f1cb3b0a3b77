import { LOOPBACK } from './protected-resources.ts'

/**
 * Whether the answer goes to a website: not to a program on the person's own machine, by a loopback address or a scheme of its own.
 */
export const isWebClient = (redirect: URL): boolean =>
  (redirect.protocol === 'https:' || redirect.protocol === 'http:') && !LOOPBACK.has(redirect.hostname)

/**
 * Whether a tool may be connected to the portal: a website's only if its very host, with its port, is allowed.
 *
 * @param hosts in lower case, as addresses have them
 */
export const isClientAllowed = (redirect: URL, hosts: readonly string[]): boolean =>
  !isWebClient(redirect) || (redirect.protocol === 'https:' && hosts.includes(redirect.host))

/** The same for a connection that stands, by what is kept of where its answers go: a host, or a scheme (`cursor:`). */
export const isHostAllowed = (redirectHost: string, hosts: readonly string[]): boolean =>
  redirectHost.endsWith(':') || isClientAllowed(new URL(`https://${redirectHost}`), hosts)
