import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount } from '../../help-desk.ts'
import { postedTo, readDesk, type DeskRequest } from '../desk-http.ts'

const MAX_BYTES = 4 * 1_048_576
const DEFAULT_API = 'https://api2.frontapp.com'

const WORDS = {
  desk: 'Front',
  refused:
    'Front refused the API token: it was deleted, or it may not do this. Make one under Settings, Developers, API tokens, for shared resources, with Read, Write and Send.',
}

export const frontApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export const isFrontId = (id: string, kind: 'cnv' | 'tea' | 'inb' | 'cha' | 'tag') =>
  id.startsWith(kind) && /^[a-z]{3}_[a-z0-9]{1,30}$/.test(id)

/** A setting that is an id of this kind; undefined if it is not set, or something else. */
export function frontId(
  config: Record<string, unknown>,
  name: string,
  kind: Parameters<typeof isFrontId>[1],
): string | undefined {
  const value = config[name]
  const id = typeof value === 'string' ? value.trim() : ''
  return isFrontId(id, kind) ? id : undefined
}

const requestOf = (path: string, { config, credentials }: DeskAccount) => ({
  url: `${frontApi(config) ?? 'https://invalid.invalid'}${path}`,
  headers: { authorization: `Bearer ${credentials['api_token'] ?? ''}` },
  maxBytes: MAX_BYTES,
})

/** Reads a resource; undefined if it is not there. @throws DeskFailure */
export async function readFromFront<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  account: DeskAccount,
): Promise<z.infer<Schema> | undefined> {
  return (await readDesk(requestOf(path, account), schema, account, WORDS))?.body
}

/** @param isRepeatable whether Front does one thing if it is sent twice: a change is, a message is not */
export const sendToFront = async (
  method: NonNullable<DeskRequest['method']>,
  path: string,
  body: Record<string, unknown>,
  account: DeskAccount,
  isRepeatable: boolean,
): Promise<PostOutcome> =>
  await postedTo({ ...requestOf(path, account), method, body }, account, { ...WORDS, isRepeatable })
