import { LOOPBACK } from './protected-resources.ts'
import { isToolAddress, isToolScheme } from './tool-schemes.ts'

/** Who may be connected to the portal. */
export interface AllowedClients {
  /** Hosts of websites, in lower case, as addresses have them. */
  webClientHosts: readonly string[]
  /** Schemes of tools beside those that every service knows. */
  toolSchemes: readonly string[]
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** Whether the answer goes to a program on the person's own machine: by a loopback address, or a scheme of its own. */
export const isOwnProgram = (redirect: URL, { toolSchemes }: Pick<AllowedClients, 'toolSchemes'>): boolean =>
  isWeb(redirect) ? LOOPBACK.has(redirect.hostname) : isToolAddress(redirect, toolSchemes)

/** Whether a tool may be connected to the portal: what is no program of the person's only if its very host, with its port, is allowed. */
export const isClientAllowed = (redirect: URL, allowed: AllowedClients): boolean =>
  isOwnProgram(redirect, allowed) ||
  (redirect.protocol === 'https:' && allowed.webClientHosts.includes(redirect.host))

/** Where answers go, as it is kept of a connection: a host, or a scheme (`cursor:`). */
const isScheme = (redirectHost: string): boolean => redirectHost.endsWith(':')

/** The same for a connection that stands. */
export const isHostAllowed = (redirectHost: string, allowed: AllowedClients): boolean =>
  isScheme(redirectHost)
    ? isToolScheme(redirectHost, allowed.toolSchemes)
    : isClientAllowed(new URL(`https://${redirectHost}`), allowed)

/** Whether a connection that stands goes where answers may go at all, whatever it reads. */
export const isRedirectKept = (
  redirectHost: string,
  { toolSchemes }: Pick<AllowedClients, 'toolSchemes'>,
): boolean => !isScheme(redirectHost) || isToolScheme(redirectHost, toolSchemes)
