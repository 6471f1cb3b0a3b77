import { timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { RequestFacts } from '../http/endpoint.ts'

/** Headers that proxies add: a request with one of them does not come from this machine. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Names of this machine under which a local program calls the service. */
function isOwnName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isLoopback(name)
}

function isToken(header: string | null, token: string): boolean {
  const [one, other] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether a request comes from a monitoring client: with the metrics token if one is set, else from a program on this machine and not
 * through a proxy on it.
 */
export function isMonitoringClient(
  { request, clientAddress }: Pick<RequestFacts, 'request' | 'clientAddress'>,
  token: string | undefined,
): boolean {
  // No socket: a command in this process.
  if (clientAddress === '') return true
  if (token !== undefined) return isToken(request.headers.get('authorization'), token)
  if (!isLoopback(clientAddress) || PROXY_HEADERS.some((name) => request.headers.has(name))) return false
  return isOwnName(request.headers.get('host') ?? '')
}
