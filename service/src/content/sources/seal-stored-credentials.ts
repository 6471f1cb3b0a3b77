import type { Sealer } from '../../platform/secrets/sealed.ts'
import { extractCredentials, type SourceCredentials } from '../connectors/connectors.ts'
import { openCredentials, sealCredentials } from './source-credentials.ts'
import type { SourceRow, SourcesDb } from './sources-store.ts'
import { listSourcesWithPossibleCredentials, rewriteSource } from './stored-credentials-store.ts'

const AT_ONCE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Shorter secrets may be words of an unrelated text, so they are not replaced there. */
const MIN_SECRET_LENGTH = 12

/** An address without its user info; ssh addresses keep the user name. */
const withoutUserInfo = (value: unknown) => {
  if (typeof value !== 'string') return value
  const url = /^[a-z][\w+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (url === null || (url.username === '' && url.password === '')) return value
  if (url.protocol === 'ssh:' && url.password === '') return value
  if (url.protocol !== 'ssh:') url.username = ''
  url.password = ''
  return url.href
}

const cleaned = (config: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withoutUserInfo) : withoutUserInfo(value),
    ]),
  )

/** Each way that a secret may be encoded in an address. */
const spellings = (secret: string) => [secret, encodeURIComponent(secret), encodeURI(secret)]

function openSealed(source: SourceRow, sealer: Sealer): SourceCredentials | undefined {
  try {
    return openCredentials(sealer, source.id, source.sealed_credentials)
  } catch {
    return undefined
  }
}

/** A source of an earlier version as it is stored from now on; undefined if there is nothing to seal. */
function sealed(source: SourceRow, sealer: Sealer, now: Date) {
  const taken = extractCredentials(source.type, source.config)
  const config = cleaned(taken.config)
  if (JSON.stringify(config) === JSON.stringify(source.config)) return undefined
  // An earlier version may have stored the address again after its credentials were sealed.
  const known = openSealed(source, sealer)
  const credentials = { ...known, ...taken.credentials }
  const { user = '', password = '', query = {} } = taken.credentials ?? {}
  // A user name without a password is the token itself; otherwise it is a word such as "deploy".
  const secrets = [password, password === '' ? user : '', ...Object.values(query)].filter(
    ({ length }) => length >= MIN_SECRET_LENGTH,
  )
  const [from, to] = [source.config['url'], config['url']]
  const addresses =
    typeof from === 'string' && typeof to === 'string'
      ? [from, URL.parse(from)?.href ?? from].map((one) => [one, to] as const)
      : []
  return {
    source: {
      ...source,
      config,
      sealed_credentials: sealCredentials(sealer, source.id, credentials),
      updated_at: now,
    },
    replace: [
      ...addresses.filter(([one, other]) => one !== other),
      ...[...new Set(secrets.flatMap(spellings))].map((secret) => [secret, '…'] as const),
    ],
  }
}

/**
 * Seals credentials that an earlier version stored within addresses, and redacts them from stored records. Each source is done in its own
 * transaction, so that this can be interrupted anywhere and repeated at no cost.
 */
export async function sealStoredCredentials(db: SourcesDb, sealer: Sealer, now: () => Date): Promise<number> {
  let count = 0
  for (let after = FIRST; ;) {
    const found = await listSourcesWithPossibleCredentials(db, { after, limit: AT_ONCE })
    for (const source of found) {
      if (await rewriteSource(db, source, (row) => sealed(row, sealer, now()))) count += 1
      after = source.id
    }
    if (found.length < AT_ONCE) return count
  }
}
