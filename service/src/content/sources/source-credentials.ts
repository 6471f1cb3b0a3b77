import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { SealError, type Sealer } from '../../platform/secrets/sealed.ts'
import { SourceFailure, type SourceCredentials } from '../connectors/connectors.ts'

const Stored = z.strictObject({
  user: z.string().optional(),
  password: z.string().optional(),
  ssh_private_key: z.string().optional(),
  token: z.string().optional(),
  email: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  refresh_token: z.string().optional(),
  access_token: z.string().optional(),
  access_token_expires_at: z.string().optional(),
  query: z.record(z.string(), z.string()).optional(),
})

const placeOf = (sourceId: string) => ({ table: 'sources', row: sourceId, column: 'sealed_credentials' })

const isEmpty = (credentials: SourceCredentials | undefined) =>
  credentials === undefined || Object.values(credentials).every((value) => value === undefined)

/** Text for the column; null if there is nothing to seal. */
export function sealCredentials(
  sealer: Sealer,
  sourceId: string,
  credentials: SourceCredentials | undefined,
): string | null {
  return isEmpty(credentials) ? null : sealer.seal(JSON.stringify(credentials), placeOf(sourceId))
}

/** Throws a `SourceFailure` if they were sealed with a key that is lost. */
export function openCredentials(
  sealer: Sealer,
  sourceId: string,
  sealed: string | null,
): SourceCredentials | undefined {
  if (sealed === null) return undefined
  try {
    const stored = Stored.parse(parseJson(sealer.open(sealed, placeOf(sourceId))))
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause
    throw new SourceFailure('The credentials of this source can no longer be decrypted. Enter them again.', {
      cause,
    })
  }
}
