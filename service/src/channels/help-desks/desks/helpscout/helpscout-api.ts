import type { z } from 'zod'
import { apiAddress } from '../../../integrations/integrations.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { DeskFailure, type DeskAccount } from '../../help-desk.ts'
import { postedTo, readDesk } from '../desk-http.ts'
import { beforeSending } from '../read-first.ts'
import { createHelpscoutTokens } from './helpscout-tokens.ts'

const MAX_BYTES = 4 * 1_048_576
const DEFAULT_API = 'https://api.helpscout.net/v2'
const NOWHERE = 'https://invalid.invalid'

const WORDS = {
  desk: 'Help Scout',
  refused:
    'Help Scout does not let the app do this: its user was deactivated, or may not see the inbox. Check the user and its inboxes under “Manage”, “Users”.',
  // A conversation that was merged into another.
  meanings: { 301: 'gone' },
} as const

export const helpscoutApi = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

export const isHelpscoutId = (id: string) => /^[1-9]\d{0,14}$/.test(id)

/** The Inbox API 2.0 of Help Scout, for the apps of several accounts. */
export interface HelpscoutApi {
  /** Undefined if it is not there. @throws DeskFailure */
  read<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    account: DeskAccount,
  ): Promise<{ body: z.infer<Schema>; headers: Headers } | undefined>
  /** @param isRepeatable whether Help Scout does one thing if it is sent twice: a change is, a thread is not */
  send(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: Record<string, unknown>,
    account: DeskAccount,
    isRepeatable: boolean,
  ): Promise<PostOutcome>
}

export function createHelpscoutApi(now: () => number): HelpscoutApi {
  const tokens = createHelpscoutTokens(now)
  const apiOf = ({ config }: DeskAccount) => helpscoutApi(config) ?? NOWHERE

  const requestOf = (path: string, token: string, account: DeskAccount) => ({
    url: `${apiOf(account)}${path}`,
    headers: { authorization: `Bearer ${token}` },
    maxBytes: MAX_BYTES,
  })

  return {
    read: async (path, schema, account) => {
      const token = await tokens.get(apiOf(account), account)
      try {
        return await readDesk(requestOf(path, token, account), schema, account, WORDS)
      } catch (failure) {
        if (failure instanceof DeskFailure && failure.isUnauthorized)
          tokens.forget(apiOf(account), account, token)
        throw failure
      }
    },
    send: async (method, path, body, account, isRepeatable) => {
      const token = await beforeSending(() => tokens.get(apiOf(account), account), account)
      if (token.is === 'again') return token
      const request = { ...requestOf(path, token.value, account), method, body }
      return await postedTo(request, account, { ...WORDS, isRepeatable })
    },
  }
}
