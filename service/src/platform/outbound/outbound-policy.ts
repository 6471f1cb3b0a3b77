import ipaddr from 'ipaddr.js'
import { addressKind, innerAddress, isWithin, parseAddress, type AddressKind } from './address-kind.ts'
import type { ChosenBy } from './chosen-by.ts'
import type { OutboundReason } from './outbound-failure.ts'

/** Default limits of a request. */
export const OUTBOUND_LIMITS = {
  operator: { maxBytes: 50_000_000, timeoutMs: 120_000 },
  customer: { maxBytes: 10_485_760, timeoutMs: 30_000 },
  'web-page': { maxBytes: 10_485_760, timeoutMs: 30_000 },
  'private-page': { maxBytes: 10_485_760, timeoutMs: 30_000 },
  stranger: { maxBytes: 65_536, timeoutMs: 5_000 },
} as const satisfies Record<ChosenBy, { maxBytes: number; timeoutMs: number }>

/** `true` for every private network, or hosts (`wiki.corp`, `*.corp`), addresses and ranges (`10.1.0.0/16`). */
export type PrivateNetworkSetting = boolean | readonly string[]

export interface OutboundPolicy {
  /** Why a connection to a host must be refused; undefined if it is allowed. All of its addresses are checked. */
  judge(given: {
    hostname: string
    addresses: readonly string[]
    port: number
    chosenBy: ChosenBy
  }): OutboundReason | undefined
  /** Classifies an address; one that cannot be parsed counts as private. */
  kindOf(address: string): AddressKind
}

/** How addresses are classified. Tests have no internet, and treat some local addresses as public. */
export interface NetworkEnvironment {
  kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind
  /** Allowed ports of public hosts. */
  webPorts: readonly number[]
}

const INTERNET: NetworkEnvironment = { kindOf: addressKind, webPorts: [80, 443] }

const bareName = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '')

function parseSetting(entries: readonly string[]) {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  const names: string[] = []
  for (const entry of entries.map((given) => given.trim()).filter((given) => given !== '')) {
    const address = parseAddress(entry)
    if (address !== undefined) ranges.push([address, address.kind() === 'ipv4' ? 32 : 128])
    else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(entry)) names.push(bareName(entry))
    else
      throw new Error(`"${entry}" is neither a host name, nor an address, nor a range such as 10.1.0.0/16.`)
  }
  return { ranges, names }
}

/** Decides which addresses may be reached on whose behalf. Throws an `Error` with a message for an invalid entry of the setting. */
export function createOutboundPolicy(
  allowPrivateNetwork: PrivateNetworkSetting,
  environment: NetworkEnvironment = INTERNET,
): OutboundPolicy {
  const allowsAll = allowPrivateNetwork === true
  const { ranges, names } = parseSetting(typeof allowPrivateNetwork === 'boolean' ? [] : allowPrivateNetwork)

  const isNamed = (hostname: string) =>
    names.some((name) =>
      name.startsWith('*.') ? bareName(hostname).endsWith(name.slice(1)) : bareName(hostname) === name,
    )

  const isInRange = (address: ipaddr.IPv4 | ipaddr.IPv6) => {
    const inner = innerAddress(address)
    return ranges.some((range) => isWithin(address, range) || (inner !== undefined && isWithin(inner, range)))
  }

  const kindOf = (address: ipaddr.IPv4 | ipaddr.IPv6 | undefined) =>
    address === undefined ? 'private' : environment.kindOf(address)

  return {
    kindOf: (text) => kindOf(parseAddress(text)),
    judge: ({ hostname, addresses, port, chosenBy }) => {
      const mayUseAnyPort = chosenBy === 'operator' || isNamed(hostname)
      const isStranger = chosenBy === 'stranger'
      const isPublicOnly = chosenBy === 'web-page'
      const mayReachPrivate = (allowsAll && !isStranger) || mayUseAnyPort
      let isPublic = addresses.length === 0
      for (const text of addresses) {
        const address = parseAddress(text)
        const kind = kindOf(address)
        if (kind === 'metadata') return 'metadata_address'
        const isListed = address !== undefined && !isStranger && isInRange(address)
        if (kind === 'private' && (isPublicOnly || (!mayReachPrivate && !isListed))) return 'private_address'
        if (kind === 'public' && !isListed) isPublic = true
      }
      return isPublic && !mayUseAnyPort && !environment.webPorts.includes(port) ? 'port' : undefined
    },
  }
}
