import type { z } from 'zod'
import { emptyIsUnset, wholeNumber } from './read-environment.ts'

const count = (standard: number) => emptyIsUnset(wholeNumber(1, 1_000_000).default(standard))

/** How many may be connected at once. */
export const connectionEnvironment = {
  CITEWELL_MAX_CONNECTIONS: count(5_000),
  CITEWELL_MAX_CONNECTIONS_PER_ADDRESS: count(500),
  CITEWELL_MAX_SOCKETS_PER_ADDRESS: count(100),
}

export interface ConnectionSettings {
  maxConnections: number
  /** Of a peer that is no proxy. */
  maxConnectionsPerAddress: number
  /** WebSockets of one reader. */
  maxSocketsPerAddress: number
}

export const connectionSettingsOf = (
  read: z.output<z.ZodObject<typeof connectionEnvironment>>,
): ConnectionSettings => ({
  maxConnections: read.CITEWELL_MAX_CONNECTIONS,
  maxConnectionsPerAddress: read.CITEWELL_MAX_CONNECTIONS_PER_ADDRESS,
  maxSocketsPerAddress: read.CITEWELL_MAX_SOCKETS_PER_ADDRESS,
})
