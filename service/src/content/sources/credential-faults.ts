import { originOfSource, type SourceCredentials, type SourceFault } from '../connectors/connectors.ts'

/** Refuses credentials that the connector would ignore: their sender would assume that they are used. */
export function credentialFaults(
  type: string,
  config: Record<string, unknown>,
  credentials: SourceCredentials,
): SourceFault[] {
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
  return faults
}
