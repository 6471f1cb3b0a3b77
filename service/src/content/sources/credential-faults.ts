import { API_CREDENTIALS, type ApiCredential } from '@citewell/contract/source-configs'
import { originOfSource, type SourceCredentials, type SourceFault } from '../connectors/connectors.ts'

/**
 * Refuses credentials that the connector would ignore: their sender would assume that they are used.
 *
 * @param about.isWhole false: credentials that are not given may be stored already
 * @param about.isConnected a connected account stands for them
 */
export function credentialFaults(
  type: string,
  config: Record<string, unknown>,
  credentials: SourceCredentials,
  { isWhole, isConnected }: { isWhole: boolean; isConnected: boolean },
): SourceFault[] {
  const api = Object.entries(API_CREDENTIALS).find(([name]) => name === type)?.[1]
  if (api !== undefined)
    return [
      ...apiFaults(api, credentials, isWhole && !isConnected),
      ...(isConnected ? besideFaults(credentials) : []),
      ...plainFaults(config, credentials),
    ]
  const isGiven = (name: 'user' | 'password' | 'ssh_private_key') => credentials[name] !== undefined
  const [scheme = ''] = originOfSource(config).split('://', 1)
  const isWeb = (type === 'repository' || type === 'openapi') && /^https?$/.test(scheme)
  const isSsh = type === 'repository' && scheme === 'ssh'
  const faults: SourceFault[] = []
  if (isGiven('ssh_private_key') && !isSsh) {
    const message = 'is used for a repository with an ssh address only'
    faults.push({ path: 'credentials.ssh_private_key', message })
  }
  for (const name of ['user', 'password'] as const) {
    if (!isGiven(name) || isWeb) continue
    const message = 'is used for a repository or an API description with an http or https address only'
    faults.push({ path: `credentials.${name}`, message })
  }
  return [...faults, ...unusedFaults(credentials, ['user', 'password', 'ssh_private_key', 'query'])]
}

const unusedFaults = (credentials: SourceCredentials, uses: readonly string[]): SourceFault[] =>
  Object.entries(credentials)
    .filter(([name, value]) => value !== undefined && !uses.includes(name))
    .map(([name]) => ({ path: `credentials.${name}`, message: 'is not used for this type of source' }))

/** Hosts that are this machine: nothing on the way can read along. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A token is valid for the whole account: it is not sent where others can read it. */
function plainFaults(config: Record<string, unknown>, credentials: SourceCredentials): SourceFault[] {
  const url = URL.parse(typeof config['url'] === 'string' ? config['url'] : '')
  const isGiven = Object.values(credentials).some((value) => value !== undefined)
  if (!isGiven || url?.protocol !== 'http:' || LOOPBACK.test(url.hostname)) return []
  return [{ path: 'config.url', message: 'must be an https address, since credentials are sent to it' }]
}

/** A connected account stands alone: keys beside it would not be used. */
const besideFaults = (credentials: SourceCredentials): SourceFault[] =>
  Object.entries(credentials)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ path: `credentials.${name}`, message: 'is not used beside a connected account' }))

/** An API that needs credentials is not called without them. */
function apiFaults(
  { uses, needs }: { uses: readonly ApiCredential[]; needs: readonly ApiCredential[] },
  credentials: SourceCredentials,
  isWhole: boolean,
): SourceFault[] {
  const missing = needs
    .filter((name) => isWhole && credentials[name] === undefined)
    .map((name) => ({ path: `credentials.${name}`, message: 'is needed to read this type of source' }))
  return [...missing, ...unusedFaults(credentials, uses)]
}
