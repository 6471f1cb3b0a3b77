import ipaddr from 'ipaddr.js'

/** Ranges of the same machine or network: such an address is a proxy of ours, not a reader. */
const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/**
 * Proxies whose `X-Forwarded-For` is trusted: peers on this machine or in private networks, none, or a list of addresses and CIDR ranges.
 * `unset`: none, and a peer in a private network is most likely a proxy that is not configured; all of its readers have its address, and
 * cannot be told apart.
 */
export type TrustedProxies = 'near' | 'none' | 'unset' | readonly string[]

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
  if (trusted === 'none' || trusted === 'unset') return false
  return trusted === 'near'
    ? LOCAL_RANGES.has(address.range())
    : trusted.some((network) => isIn(address, network))
}

/**
 * The address under which a reader is rate-limited; `undefined` if readers cannot be told apart. IPv6 readers count by their /64, because
 * one household can use any address in it.
 *
 * @param peer - address of the socket
 * @param forwardedFor - the header `X-Forwarded-For`. It is trusted only from a trusted proxy, and read from the right, where the nearest
 *   proxy appended: entries that a reader forged are further left.
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
  if (trusted === 'unset' && LOCAL_RANGES.has(socket.range())) return undefined
  return textOf(isProxy(socket, trusted) ? (forwarded(forwardedFor ?? '', trusted) ?? socket) : socket)
}

/**
 * The key under which connections of a peer are counted; `undefined` for a trusted proxy, which serves many readers, for a peer that may be
 * a proxy, and for this machine.
 */
export function peerLimitKey(peer: string, trusted: TrustedProxies): string | undefined {
  const socket = parse(peer)
  if (socket === undefined || socket.range() === 'loopback' || isProxy(socket, trusted)) return undefined
  return readerAddress(peer, undefined, trusted)
}

/** The rightmost address that is not a trusted proxy; if all are, the leftmost. */
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
