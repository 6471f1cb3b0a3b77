import ipaddr from 'ipaddr.js'
import type { Span } from '../../../platform/patterns/linear-pattern.ts'
import { VERSION_MARKER } from '../masking-units.ts'

const FOUR = /(?<![\p{L}\p{N}_.:/-])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}_]|\.\d)/gu
/** Letters, digits and at least two colons, as in IPv6 addresses. */
const SIX =
  /(?<![\p{L}\p{N}_.:-])[\da-f]{0,4}:[\da-f:]{1,38}(?:(?:\d{1,3}\.){3}\d{1,3})?(?![\p{L}\p{N}_:])/giu

/** Addresses that identify no one: loopback, unspecified, network masks. */
const identifiesNoOne = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  ['loopback', 'unspecified', 'broadcast'].includes(address.range()) || address.toString().startsWith('255.')

/** IPv6 addresses that are assigned to machines: global, unique local, link local. `face::bad` in program code is none of them. */
const isAssigned = (address: ipaddr.IPv6) =>
  /^(?:[23][\da-f]{3}|f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(address.toString())

function isPersonal(written: string): boolean {
  if (!ipaddr.isValid(written)) return false
  const address = ipaddr.parse(written)
  if (identifiesNoOne(address)) return false
  return address.kind() === 'ipv4' || (/\d/.test(written) && isAssigned(address as ipaddr.IPv6))
}

/** IPv4 and IPv6 addresses; not version numbers, and not addresses that identify no one. */
export function findIpAddresses(text: string): Span[] {
  return [FOUR, SIX].flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ 0: written, index }) => {
      const before = text.slice(Math.max(0, index - 24), index)
      if (form === FOUR && VERSION_MARKER.test(before)) return []
      return isPersonal(written) ? [{ start: index, end: index + written.length }] : []
    }),
  )
}
