import { lookup } from 'node:dns/promises'
import { connect as connectSocket, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { parseAddress } from './address-kind.ts'
import { OutboundFailure, reasonOf } from './outbound-failure.ts'
import type { ChosenBy } from './chosen-by.ts'
import { createKnownHosts, type HostKind } from './known-hosts.ts'
import type { OutboundPolicy } from './outbound-policy.ts'

/** Resolves a host name to all its addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export const systemLookup: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

const CONNECT_TIMEOUT_MS = 10_000

export interface ConnectionGuard {
  /** The addresses of a host after all of them passed the policy; throws an `OutboundFailure`. */
  checkHost(hostname: string, port: number, chosenBy: ChosenBy): Promise<readonly string[]>
  /** A connection pool per chooser: connections are never reused for another one. */
  agentFor(chosenBy: ChosenBy): Agent
  /** A raw connection to one of the checked addresses; throws an `OutboundFailure`. */
  connect(hostname: string, port: number, chosenBy: ChosenBy): Promise<Socket>
  /** The kind of network of a host's last connection; undefined if there was none. */
  kindOf(hostname: string): HostKind | undefined
  close(): Promise<void>
}

/** Answers with the addresses that were checked, without another DNS query. */
export const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (all === true) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

/**
 * @param deps.holdsKinds whether a host must stay in the kind of network where it was first found: prevents a public host from turning
 *   private (DNS rebinding) while its pages are trusted as public ones
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

  /** The addresses in the same kind of network where the host was found before. */
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

  /** Checks the address that an open socket is connected to, and records the kind of its network. */
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
   * Looks up, checks and connects in one step: the socket uses exactly the addresses that were checked, so that a hostile name server
   * cannot give a second, different answer.
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
      // No timers here: each request has one signal that limits its total time, however slowly data arrives.
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
