import { lookup } from 'node:dns/promises'
import { Agent, buildConnector } from 'undici'
import { parseAddress } from './address-kind.ts'
import { OutboundFailure } from './outbound-failure.ts'
import type { ChosenBy } from './chosen-by.ts'
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
  close(): Promise<void>
}

export function createConnectionGuard(deps: { policy: OutboundPolicy; lookup: Lookup }): ConnectionGuard {
  const { policy } = deps

  function judge(hostname: string, addresses: readonly string[], port: number, chosenBy: ChosenBy): void {
    const reason = policy.judge({ hostname, addresses, port, chosenBy })
    if (reason !== undefined) throw new OutboundFailure(reason, { host: hostname, chosenBy })
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
    return addresses
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
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const connector = buildConnector({
          allowH2: false,
          timeout: CONNECT_TIMEOUT_MS,
          lookup: (_hostname, { all }, done) => {
            if (all === true) done(null, found)
            else done(null, found[0]?.address ?? '', found[0]?.family)
          },
        })
        connector(options, (error, socket) => {
          if (error !== null) return callback(error, null)
          try {
            judge(options.hostname, [socket.remoteAddress ?? ''], port, chosenBy)
            return callback(null, socket)
          } catch (refusal) {
            socket.destroy()
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
    agentFor: (chosenBy) => {
      const known = agents.get(chosenBy)
      if (known !== undefined) return known
      // No timers here: every request carries one signal that ends it as a whole, however slowly it drips.
      const agent = new Agent({ connect: connectorFor(chosenBy), headersTimeout: 0, bodyTimeout: 0 })
      agents.set(chosenBy, agent)
      return agent
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
}
