import type { SourceType } from '@citewell/contract/source-configs'
import { isSecretParameter } from '../../kernel/redact-addresses.ts'
import type { SourceCredentials } from './connector.ts'
import type { SourceFault } from './check-source.ts'
import { parseGitAddress } from './repository/git-address.ts'

/** A config without the credentials that its address contained, and those credentials. */
export interface ExtractedCredentials {
  config: Record<string, unknown>
  /** Undefined: the address contained none. */
  credentials: SourceCredentials | undefined
  /** Addresses in which credentials are not supported. */
  faults: SourceFault[]
}

/** Types whose connector supports credentials. */
const SIGNS_IN: ReadonlySet<string> = new Set<SourceType>(['repository', 'openapi'])

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const webAddress = (value: unknown): URL | null => {
  const url = typeof value === 'string' && /^https?:\/\//i.test(value.trim()) ? URL.parse(value.trim()) : null
  return url
}

const hasUserInfo = (value: unknown) => {
  const url = webAddress(value)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Every address of a config, with the path of its field. */
function addressesOf(config: Record<string, unknown>): [string, unknown][] {
  return Object.entries(config).flatMap(([name, value]): [string, unknown][] =>
    Array.isArray(value)
      ? value.map((one: unknown, at): [string, unknown] => [`config.${name}.${at}`, one])
      : [[`config.${name}`, value]],
  )
}

/**
 * Takes user names, passwords and tokens out of the address of a source, so that they can be sealed separately. For types without
 * credentials they are faults: an address with a password must be neither stored nor shown.
 */
export function extractCredentials(type: string, config: Record<string, unknown>): ExtractedCredentials {
  const url = SIGNS_IN.has(type) ? webAddress(config['url']) : null
  const faults = addressesOf(config)
    .filter(([path, value]) => (url === null || path !== 'config.url') && hasUserInfo(value))
    .map(([path]) => ({ path, message: 'must not contain a user name or password' }))
  if (url === null) return { config, credentials: undefined, faults }

  const credentials: SourceCredentials = {}
  if (url.username !== '') credentials.user = decoded(url.username)
  if (url.password !== '') credentials.password = decoded(url.password)
  const query = [...url.searchParams].filter(([name]) => isSecretParameter(name))
  if (query.length > 0) credentials.query = Object.fromEntries(query)
  if (Object.keys(credentials).length === 0) return { config, credentials: undefined, faults }
  url.username = ''
  url.password = ''
  for (const [name] of query) url.searchParams.delete(name)
  return { config: { ...config, url: url.href }, credentials, faults }
}

/** The origin that a source's credentials are bound to: scheme, host and port. */
export function originOfSource(config: Record<string, unknown>): string {
  const given = typeof config['url'] === 'string' ? config['url'] : ''
  try {
    const address = parseGitAddress(given)
    if (address.kind === 'ssh') return `ssh://${address.host}:${address.port}`
    return address.kind === 'local' ? given : `${address.url.protocol}//${address.url.host}`
  } catch {
    return given
  }
}
