import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * - `public`: reachable by anyone on the internet.
 * - `private`: this machine, its own network, or a reserved range.
 * - `metadata`: a cloud metadata service, which hands out credentials. Never reached, whatever the settings.
 */
export type AddressKind = 'public' | 'private' | 'metadata'

/** Cloud metadata services besides link-local addresses (which all count as metadata). */
const METADATA = [
  '168.63.129.16/32', // Azure's host agent, a public address
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:ec2::254/128', // AWS
  'fd20:ce::254/128', // Google
].map((range) => ipaddr.parseCIDR(range))

/** The only part of IPv6 that is allocated for the public internet. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Parses an IP address from a look-up or a URL (brackets allowed); undefined if it is a name. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined
}

/** Whether an address is in a range of the same family. */
export function isWithin(address: Address, [base, bits]: [Address, number]): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

const ipv4Of = (high = 0, low = 0) => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])

/** The IPv4 address embedded in an IPv6 one (mapped, translated, 6to4, compatible), which is where packets are delivered. */
export function innerAddress(address: Address): ipaddr.IPv4 | undefined {
  if (address instanceof ipaddr.IPv4) return undefined
  const parts = address.parts
  if (address.range() === '6to4') return ipv4Of(parts[1], parts[2])
  const isTranslated = ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(address.range())
  const isCompatible = parts.slice(0, 6).every((part) => part === 0)
  return isTranslated || isCompatible ? ipv4Of(parts[6], parts[7]) : undefined
}

/** Classifies an address. Anything that is not clearly public counts as private. */
export function addressKind(address: Address): AddressKind {
  const inner = innerAddress(address)
  const forms = inner === undefined ? [address] : [address, inner]
  if (forms.some((form) => form.range() === 'linkLocal' || METADATA.some((range) => isWithin(form, range))))
    return 'metadata'
  if (inner !== undefined || address.range() !== 'unicast') return 'private'
  return address instanceof ipaddr.IPv4 || isWithin(address, GLOBAL_IPV6) ? 'public' : 'private'
}
