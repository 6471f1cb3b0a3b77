import { lookup } from 'node:dns/promises'
import { connect as connectSocket, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { parseAddress } from './address-kind.ts'
import { OutboundFailure, reasonOf } from './outbound-failure.ts'
import type { ChosenBy } from './chosen-by.ts'
import { createKnownHosts, type HostKind } from './known-hosts.ts'
import type { OutboundPolicy } from './outbound-policy.ts'

/** All addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export const systemLookup: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

const CONNECT_TIMEOUT_MS = 10_000

export interface ConnectionGuard {
  /** The addresses of a host, once all of them have been found fit; throws an `OutboundFailure`. */
  checkHost(hostname: string, port: number, chosenBy: ChosenBy): Promise<readonly string[]>
  /** Connections that were opened for one kind of chooser, never to be reused for another. */
  agentFor(chosenBy: ChosenBy): Agent
  /** A bare connection, to one of the addresses that were checked; throws an `OutboundFailure`. */
  connect(hostname: string, port: number, chosenBy: ChosenBy): Promise<Socket>
  /** Where a host was found at its last connection; undefined where there was none. */
  kindOf(hostname: string): HostKind | undefined
  close(): Promise<void>
}

/** Looks names up as they were looked up before, and asks nobody again. */
const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (all === true) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

/**
 * @param deps.holdsKinds whether a host has to stay where it was found first: a public one does not become a private one
 *   under the eyes of whoever goes on believing what it says
 */
export function createConnectionGuard(deps: {
  policy: OutboundPolicy
  lookup: Lookup
  holdsKinds: boolean
}): ConnectionGuard {
  const { policy } = deps
  const hosts = createKnownHosts(deps.holdsKinds)

  const kindOfAddress = (address: string): HostKind =>
    policy.kindOf(address) === 'public' ? 'public' : 'private'

  function judge(hostname: string, addresses: readonly string[], port: number, chosenBy: ChosenBy): void {
    const reason = policy.judge({ hostname, addresses, port, chosenBy })
    if (reason !== undefined) throw new OutboundFailure(reason, { host: hostname, chosenBy })
  }

  /** The addresses that are where the host was found before. */
  function held(hostname: string, addresses: readonly string[], chosenBy: ChosenBy): readonly string[] {
    const kind = deps.holdsKinds ? hosts.kindOf(hostname) : undefined
    const kept = kind === undefined ? addresses : addresses.filter((one) => kindOfAddress(one) === kind)
    if (kept.length === 0) throw new OutboundFailure('private_address', { host: hostname, chosenBy })
    return kept
  }

  async function checkHost(hostname: string, port: number, chosenBy: ChosenBy): Promise<readonly string[]> {
    const literal = parseAddress(hostname)
    let addresses: readonly string[]
    try {
      addresses = literal === undefined ? await deps.lookup(hostname) : [literal.toString()]
    } catch (cause) {
      throw new OutboundFailure('dns', { host: hostname, chosenBy, cause })
    }
    if (addresses.length === 0) throw new OutboundFailure('dns', { host: hostname, chosenBy })
    judge(hostname, addresses, port, chosenBy)
    return held(hostname, addresses, chosenBy)
  }

  /** Of a socket that was opened: looks once more at where it ended up, and remembers it. */
  function settle(socket: Socket, hostname: string, port: number, chosenBy: ChosenBy): void {
    const address = socket.remoteAddress ?? ''
    try {
      judge(hostname, [address], port, chosenBy)
      held(hostname, [address], chosenBy)
      hosts.note(hostname, kindOfAddress(address))
    } catch (refusal) {
      socket.destroy()
      throw refusal
    }
  }

  const explain = (error: unknown, hostname: string, addresses: readonly string[], chosenBy: ChosenBy) => {
    const isInside = addresses.some((address) => kindOfAddress(address) === 'private')
    return new OutboundFailure(reasonOf(error), { host: hostname, chosenBy, isInside, cause: error })
  }

  /**
   * Looks up, checks and connects in one go: the socket is given the very addresses that were checked, so that a second,
   * different answer of a hostile name server is never asked for.
   */
  function connectorFor(chosenBy: ChosenBy): buildConnector.connector {
    return (options, callback) => {
      const port = Number(options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : options.port)
      const connect = async () => {
        const addresses = await checkHost(options.hostname, port, chosenBy)
        const connector = buildConnector({
          allowH2: false,
          timeout: CONNECT_TIMEOUT_MS,
          lookup: pinnedLookup(addresses),
        })
        connector(options, (error, socket) => {
          if (error !== null) return callback(explain(error, options.hostname, addresses, chosenBy), null)
          try {
            settle(socket, options.hostname, port, chosenBy)
            return callback(null, socket)
          } catch (refusal) {
            return callback(refusal as OutboundFailure, null)
          }
        })
      }
      connect().catch((error: unknown) => callback(error as Error, null))
    }
  }

  const agents = new Map<ChosenBy, Agent>()
  return {
    checkHost,
    kindOf: hosts.kindOf,
    agentFor: (chosenBy) => {
      const known = agents.get(chosenBy)
      if (known !== undefined) return known
      // No timers here: every request carries one signal that ends it as a whole, however slowly it drips.
      const agent = new Agent({ connect: connectorFor(chosenBy), headersTimeout: 0, bodyTimeout: 0 })
      agents.set(chosenBy, agent)
      return agent
    },
    connect: async (hostname, port, chosenBy) => {
      const addresses = await checkHost(hostname, port, chosenBy)
      const socket = connectSocket({
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        lookup: pinnedLookup(addresses),
        autoSelectFamily: true,
        timeout: CONNECT_TIMEOUT_MS,
      })
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('timeout', () =>
          socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
        )
        socket.once('error', (error) => reject(explain(error, hostname, addresses, chosenBy)))
      })
      socket.setTimeout(0)
      settle(socket, hostname, port, chosenBy)
      return socket
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
}
