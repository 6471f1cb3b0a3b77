import ipaddr from 'ipaddr.js'

/** Addresses of the same machine or network: what stands there is a proxy of ours, not a reader. */
const NEAR = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/**
 * Whose `X-Forwarded-For` is believed: peers near by (this machine, private networks), nobody, or those in a list of addresses
 * and CIDR ranges. `unsaid`: nobody, and a peer near by is most likely a proxy that nobody has named: all of its readers look like one,
 * so that they cannot be told apart.
 */
export type TrustedProxies = 'near' | 'none' | 'unsaid' | readonly string[]

type Address = ipaddr.IPv4 | ipaddr.IPv6

const parse = (text: string): Address | undefined => {
  const bare = text.trim().replace(/^\[(.*)\](?::\d+)?$/, '$1')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

function isIn(address: Address, network: string): boolean {
  const [range, bits] = ipaddr.isValidCIDR(network)
    ? ipaddr.parseCIDR(network)
    : ([ipaddr.process(network), ipaddr.process(network).kind() === 'ipv4' ? 32 : 128] as const)
  if (range.kind() !== address.kind()) return false
  return address.match(range, bits)
}

function isProxy(address: Address, trusted: TrustedProxies): boolean {
  if (trusted === 'none' || trusted === 'unsaid') return false
  return trusted === 'near' ? NEAR.has(address.range()) : trusted.some((network) => isIn(address, network))
}

/**
 * The reader that a limit counts, as text; `undefined` where nobody can be told apart. IPv6 readers count by their /64:
 * one household has as many addresses as it likes.
 *
 * @param peer - address of the socket
 * @param forwardedFor - the header `X-Forwarded-For`. It is believed only from a proxy of ours, and read from the right, where
 *   the nearest proxy wrote: what a reader puts into it stands further left.
 * @example
 * readerAddress('127.0.0.1', '6.6.6.6, 203.0.113.9', 'near') // '203.0.113.9'
 */
export function readerAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string | undefined {
  const socket = parse(peer)
  if (socket === undefined) return undefined
  if (trusted === 'unsaid' && NEAR.has(socket.range())) return undefined
  return textOf(isProxy(socket, trusted) ? (forwarded(forwardedFor ?? '', trusted) ?? socket) : socket)
}

/**
 * What the connections of a peer are counted as; `undefined` for a proxy, behind which many stand, for one that may be, and for this
 * machine itself.
 */
export function countedPeer(peer: string, trusted: TrustedProxies): string | undefined {
  const socket = parse(peer)
  if (socket === undefined || socket.range() === 'loopback' || isProxy(socket, trusted)) return undefined
  return readerAddress(peer, undefined, trusted)
}

/** The nearest address that is not a proxy of ours; the farthest of those where all are. */
function forwarded(header: string, trusted: TrustedProxies): Address | undefined {
  let farthest: Address | undefined
  for (const entry of header.split(',').toReversed()) {
    const address = parse(entry)
    if (address === undefined) return farthest
    if (!isProxy(address, trusted)) return address
    farthest = address
  }
  return farthest
}

function textOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString()
  const parts = ipaddr.IPv6.parse(address.toString()).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
