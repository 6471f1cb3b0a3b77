import ipaddr from 'ipaddr.js'
import type { Span } from '../../../platform/patterns/linear-pattern.ts'
import { SAYS_VERSION } from '../masking-units.ts'

const FOUR = /(?<![\p{L}\p{N}_.:/-])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}_]|\.\d)/gu
/** Letters, digits and at least two colons, as addresses of version 6 have. */
const SIX =
  /(?<![\p{L}\p{N}_.:-])[\da-f]{0,4}:[\da-f:]{1,38}(?:(?:\d{1,3}\.){3}\d{1,3})?(?![\p{L}\p{N}_:])/giu

/** Addresses that everybody has: of this machine, of nobody, masks of networks. */
const isEverybodys = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  ['loopback', 'unspecified', 'broadcast'].includes(address.range()) || address.toString().startsWith('255.')

/** What version 6 gives to somebody: global, unique local, link local. `face::bad` in program code is none of them. */
const isGiven = (address: ipaddr.IPv6) =>
  /^(?:[23][\da-f]{3}|f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(address.toString())

function isPersonal(written: string): boolean {
  if (!ipaddr.isValid(written)) return false
  const address = ipaddr.parse(written)
  if (isEverybodys(address)) return false
  return address.kind() === 'ipv4' || (/\d/.test(written) && isGiven(address as ipaddr.IPv6))
}

/** Addresses of machines, versions 4 and 6; not numbers of versions, and not addresses that everybody has. */
export function findIpAddresses(text: string): Span[] {
  return [FOUR, SIX].flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ 0: written, index }) => {
      const before = text.slice(Math.max(0, index - 24), index)
      if (form === FOUR && SAYS_VERSION.test(before)) return []
      return isPersonal(written) ? [{ start: index, end: index + written.length }] : []
    }),
  )
}
