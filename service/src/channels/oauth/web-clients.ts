import { LOOPBACK } from './protected-resources.ts'

/**
 * Whether the answer goes to a website: not to a program on the person's own machine, by a loopback address or a scheme of its own.
 */
const isWebClient = (redirect: URL): boolean =>
  (redirect.protocol === 'https:' || redirect.protocol === 'http:') && !LOOPBACK.has(redirect.hostname)

/**
 * Whether a tool may be connected to the portal: a website's only if its very host, with its port, is allowed.
 *
 * @param hosts in lower case, as addresses have them
 */
export const isClientAllowed = (redirect: URL, hosts: readonly string[]): boolean =>
  !isWebClient(redirect) || (redirect.protocol === 'https:' && hosts.includes(redirect.host))
