import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { SourceFailure, type SourceCredentials } from '../connector.ts'
import type { GitAddress } from './git-address.ts'
import type { GitRun } from './git.ts'
import { prepareSsh } from './ssh-config.ts'

/** What git needs to reach one address and nothing else. */
export interface Transport {
  address: string
  run: Omit<GitRun, 'signal'>
  isShallow: boolean
}

export const bracketed = (address: string) =>
  address.includes(':') && !address.startsWith('[') ? `[${address}]` : address

const USUAL_PORTS = { git: [9418], ssh: [22, 443] }

/** The checked address of a host. For public hosts only the usual ports are allowed, as with web addresses. */
async function checkedAddress(
  host: string,
  port: number,
  protocol: 'git' | 'ssh',
  outbound: Outbound,
): Promise<string> {
  const isUsual = USUAL_PORTS[protocol].includes(port)
  try {
    const [first = ''] = await outbound.checkHost(host, isUsual ? 443 : port, 'customer')
    return first
  } catch (error) {
    if (!(error instanceof OutboundFailure) || error.reason !== 'port') throw error
    const usual = USUAL_PORTS[protocol].join(' and ')
    throw new SourceFailure(`On public hosts, ${protocol} may use the ports ${usual} only.`, {
      cause: error,
    })
  }
}

/** Git's own protocol has neither redirects nor virtual hosts: the checked address replaces the host name. */
export async function gitTransport(
  { url }: Extract<GitAddress, { kind: 'git' }>,
  outbound: Outbound,
): Promise<Transport> {
  const first = await checkedAddress(url.hostname, Number(url.port || 9418), 'git', outbound)
  const port = url.port === '' ? '' : `:${url.port}`
  return {
    address: `git://${bracketed(first)}${port}${url.pathname}`,
    isShallow: true,
    run: { protocol: 'git' },
  }
}

export async function sshTransport(
  given: Extract<GitAddress, { kind: 'ssh' }>,
  credentials: SourceCredentials,
  deps: { outbound: Outbound; folder: string; knownHosts: string },
): Promise<Transport> {
  const { user, host, port, path } = given
  const address = await checkedAddress(host, port, 'ssh', deps.outbound)
  const environment = await prepareSsh(deps.folder, {
    host: host.replaceAll(/[[\]]/g, '') + (port === 22 ? '' : `-${port}`),
    address,
    privateKey: credentials.ssh_private_key,
    knownHosts: deps.knownHosts,
  })
  return {
    address: given.isUrl ? `ssh://${user}@${host}:${port}${path}` : `${user}@${host}:${path}`,
    isShallow: true,
    run: { protocol: 'ssh', environment },
  }
}
