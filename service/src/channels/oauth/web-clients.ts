import { LOOPBACK } from './protected-resources.ts'
import { isToolAddress, isToolScheme } from './tool-schemes.ts'

/** Clients that may be connected to the portal. */
export interface AllowedClients {
  /** Hosts of websites, in lower case, as in `URL.host`. */
  webClientHosts: readonly string[]
  /** Tool schemes in addition to the built-in ones. */
  toolSchemes: readonly string[]
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** Whether the answer goes to a program on the user's own machine: to a loopback address, or a custom scheme. */
export const isLocalProgram = (
  redirect: URL,
  { toolSchemes }: Pick<AllowedClients, 'toolSchemes'>,
): boolean => (isWeb(redirect) ? LOOPBACK.has(redirect.hostname) : isToolAddress(redirect, toolSchemes))

/** Whether a tool may be connected to the portal. Websites only if their exact host, with its port, is allowed. */
export const isClientAllowed = (redirect: URL, allowed: AllowedClients): boolean =>
  isLocalProgram(redirect, allowed) ||
  (redirect.protocol === 'https:' && allowed.webClientHosts.includes(redirect.host))

/** The stored redirect host of a connection is a host, or a scheme (`cursor:`). */
const isScheme = (redirectHost: string): boolean => redirectHost.endsWith(':')

/** The same for an existing connection. */
export const isHostAllowed = (redirectHost: string, allowed: AllowedClients): boolean =>
  isScheme(redirectHost)
    ? isToolScheme(redirectHost, allowed.toolSchemes)
    : isClientAllowed(new URL(`https://${redirectHost}`), allowed)

/** Whether an existing connection still has an allowed redirect target, whatever it reads. */
export const isRedirectAllowed = (
  redirectHost: string,
  { toolSchemes }: Pick<AllowedClients, 'toolSchemes'>,
): boolean => !isScheme(redirectHost) || isToolScheme(redirectHost, toolSchemes)
