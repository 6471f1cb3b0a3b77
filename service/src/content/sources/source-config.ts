import { SOURCE_CONFIGS, type ApiCredential, type SourceType } from '@citewell/contract/source-configs'
import { Refusal } from '../../kernel/refusal.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import {
  originOfSource,
  extractCredentials,
  type Connectors,
  type SourceCredentials,
  type SourceFault,
} from '../connectors/connectors.ts'
import { openCredentials, sealCredentials } from './source-credentials.ts'
import { credentialFaults } from './credential-faults.ts'

/** The address of a source, and its credentials. */
export interface SourceAddress {
  config: Record<string, unknown>
  credentials: SourceCredentials | undefined
}

type GivenCredentials =
  | Pick<SourceCredentials, 'user' | 'password' | 'ssh_private_key' | ApiCredential>
  | null
  | undefined

function refuseFaults(faults: SourceFault[]): void {
  const [first] = faults
  if (first !== undefined) throw new Refusal('BAD_REQUEST', { because: first.message, details: faults })
}

/** The config of a source with changes merged in, key by key, validated by its type. Throws BAD_REQUEST with each fault. */
function mergedConfig(
  source: { type: string; config: Record<string, unknown> },
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const schema = SOURCE_CONFIGS[source.type as SourceType]
  const parsed = schema.safeParse({ ...source.config, ...changes })
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map((issue) => ({
    path: ['config', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Refusal('BAD_REQUEST', { details })
}

/**
 * A config as it was given, and the credentials given beside it or in its address.
 *
 * @param about see `credentialFaults`
 */
export function addressOf(
  type: string,
  config: Record<string, unknown>,
  given: GivenCredentials,
  about: { isWhole: boolean; isConnected: boolean },
): SourceAddress {
  const taken = extractCredentials(type, config)
  const credentials = { ...given, ...taken.credentials }
  refuseFaults([...taken.faults, ...credentialFaults(type, taken.config, credentials, about)])
  return { config: taken.config, credentials }
}

/**
 * A source with its config, credentials or both changed. Credentials that are not given again are kept as long as the source stays at the
 * same scheme, host and port: credentials are never sent to a host that they were not given for. Null removes them.
 */
export function changedAddress(
  source: {
    id: string
    type: string
    config: Record<string, unknown>
    sealed_credentials: string | null
    connection_id: string | null
  },
  changes: {
    config?: Record<string, unknown> | undefined
    credentials?: GivenCredentials
    connection_id?: string | null | undefined
  },
  sealer: Sealer,
): { config: Record<string, unknown>; sealed_credentials: string | null } {
  const merged = changes.config === undefined ? source.config : mergedConfig(source, changes.config)
  const isWhole = changes.credentials !== undefined && changes.credentials !== null
  const connectionId = changes.connection_id === undefined ? source.connection_id : changes.connection_id
  const { config, credentials } = addressOf(source.type, merged, changes.credentials, {
    isWhole,
    isConnected: connectionId !== null,
  })
  const isNew = Object.keys(credentials ?? {}).length > 0
  const staysThere = originOfSource(config) === originOfSource(source.config)
  if (!staysThere || changes.credentials !== undefined)
    return { config, sealed_credentials: sealCredentials(sealer, source.id, isNew ? credentials : undefined) }
  if (!isNew) return { config, sealed_credentials: source.sealed_credentials }
  const kept = openSealed(source, sealer)
  const isSignedIn = credentials?.user !== undefined || credentials?.password !== undefined
  if (isSignedIn) {
    delete kept.user
    delete kept.password
  }
  const query = { ...kept.query, ...credentials?.query }
  const all = { ...kept, ...credentials, ...(Object.keys(query).length > 0 && { query }) }
  return { config, sealed_credentials: sealCredentials(sealer, source.id, all) }
}

/** Sealed credentials that can no longer be opened are replaced by the ones given now. */
function openSealed(
  source: { id: string; sealed_credentials: string | null },
  sealer: Sealer,
): SourceCredentials {
  try {
    return { ...openCredentials(sealer, source.id, source.sealed_credentials) }
  } catch {
    return {}
  }
}

/** Throws BAD_REQUEST if a source names a folder or a host that sources must not read. */
export async function refuseUnreadable(
  checkSource: Connectors['checkSource'],
  type: string,
  config: Record<string, unknown>,
): Promise<void> {
  refuseFaults(await checkSource(type as SourceType, config))
}
