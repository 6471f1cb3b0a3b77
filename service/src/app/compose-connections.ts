import type { IncomingMessage } from 'node:http'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { peerLimitKey, readerAddress } from '../channels/public-api/public-api.ts'
import type { RequestSource } from '../platform/http/request-source.ts'
import type { Settings } from './settings.ts'

/** Addresses that take files: their bodies may be long. */
const FILES = ALL_ENDPOINTS.filter(({ bodyIs }) => bodyIs === 'files').map(
  ({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
)

/** How many may be connected, who counts as one, and whose bodies may take long. */
export const composeConnections = (settings: Settings) => ({
  limits: {
    most: settings.maxConnections,
    mostFromAddress: settings.maxConnectionsPerAddress,
    countedAs: (peer: string) => peerLimitKey(peer, settings.trustedProxies),
  },
  takesLong: ({ url = '', headers }: IncomingMessage): boolean => {
    const path = url.split('?', 1)[0] ?? ''
    return headers.authorization !== undefined && FILES.some((pattern) => pattern.test(path))
  },
})

/** The same for WebSockets, each of which is counted by its reader. */
export const composeSocketLimits = (settings: Settings) => ({
  mostFromAddress: settings.maxSocketsPerAddress,
  addressOf: ({ clientAddress, forwardedFor }: RequestSource) =>
    readerAddress(clientAddress, forwardedFor, settings.trustedProxies),
})
