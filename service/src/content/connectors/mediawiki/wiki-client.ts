import type { z } from 'zod'
import type { ConnectorInput } from '../connector.ts'
import { openApiClient, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, type ApiFailureKind } from '../rest/api-failure.ts'
import { readRateHeaders } from '../rest/read-rate-headers.ts'
import { LoginAnswer, TokenAnswer, type Answer } from './mediawiki-schemas.ts'

/** A client of the API of one wiki. */
export interface WikiClient {
  /** Who asks has signed in. */
  isSignedIn: boolean
  /** @throws ApiFailure also for what the wiki refuses with status 200 */
  ask<Found extends z.output<typeof Answer>>(
    parameters: Record<string, string>,
    schema: z.ZodType<Found>,
  ): Promise<Found>
}

const NAME = 'The wiki'

/** Seconds that the copies of its database may be behind: beyond it the wiki asks to come later. */
const MAX_LAG_S = '5'

const COMMON = { format: 'json', formatversion: '2' }

const KIND_OF_CODE = new Map<string, ApiFailureKind>(
  Object.entries({
    readapidenied: 'forbidden',
    permissiondenied: 'forbidden',
    'permission-denied': 'forbidden',
    assertuserfailed: 'unauthorized',
    badtoken: 'unauthorized',
    nosuchpageid: 'gone',
    missingtitle: 'gone',
    maxlag: 'unavailable',
    ratelimited: 'unavailable',
    internal_api_error_DBQueryError: 'unavailable',
  } as const),
)

/** Codes of a wiki that is busy, sent with status 200; how often it is asked again, and after how long if it does not say. */
const BUSY = new Set(['maxlag', 'ratelimited'])
const MAX_WAITS = 8
const WAIT_MS = { usual: 5_000, longest: 60_000 }

const COOKIES = { count: 50, characters: 4_096 }

const printable = (text: string) => text.slice(0, 300).replaceAll(/[\p{C}\s]+/gu, ' ')

/** @param credentials name and password of a bot (Special:BotPasswords); undefined: as a stranger */
export function openWikiClient(
  deps: ApiDeps,
  input: ConnectorInput<{ url: string }>,
  credentials: { user: string; password: string } | undefined,
): WikiClient {
  const { origin, pathname } = new URL(input.config.url)
  const cookies = new Map<string, string>()
  let isIn = false
  const client = openApiClient(
    deps,
    { ...input, credentials: credentials === undefined ? undefined : input.credentials },
    {
      name: NAME,
      origin,
      headers: (): Record<string, string> => {
        const written = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        return written === '' ? {} : { cookie: written }
      },
    },
  )

  function keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      // A value may contain the sign too, as Base64 does.
      const at = pair.indexOf('=')
      const name = pair.slice(0, Math.max(0, at)).trim()
      const value = pair.slice(at + 1).trim()
      const isSmall = line.length <= COOKIES.characters && (cookies.size < COOKIES.count || cookies.has(name))
      if (isSmall && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[!-~]*$/.test(value)) cookies.set(name, value)
    }
  }

  async function send<Found extends z.output<typeof Answer>>(
    parameters: Record<string, string>,
    schema: z.ZodType<Found>,
    form?: Record<string, string>,
  ): Promise<Found> {
    const query = new URLSearchParams({ ...parameters, ...COMMON })
    for (let waits = 0; ; waits += 1) {
      const { data, headers } = await client.json(`${pathname}?${query.toString()}`, schema, {
        ...(form !== undefined && { method: 'POST', form }),
      })
      keepCookies(headers)
      const { error } = data
      if (error === null || error === undefined) return data
      if (!BUSY.has(error.code) || waits >= MAX_WAITS) {
        const kind = KIND_OF_CODE.get(error.code) ?? 'refused'
        throw new ApiFailure(kind, `${NAME} answered: ${printable(error.info ?? error.code)}`)
      }
      const { waitMs = WAIT_MS.usual } = readRateHeaders(headers, deps.now())
      await deps.wait(Math.min(waitMs, WAIT_MS.longest), input.signal)
    }
  }

  async function signIn({ user, password }: { user: string; password: string }): Promise<void> {
    cookies.clear()
    const token = (await send({ action: 'query', meta: 'tokens', type: 'login' }, TokenAnswer)).query?.tokens
    const form = { lgname: user, lgpassword: password, lgtoken: token?.logintoken ?? '' }
    const { login } = await send({ action: 'login' }, LoginAnswer, form)
    if (login?.result !== 'Success') {
      const reason = printable(login?.reason ?? '')
      throw new ApiFailure(
        'unauthorized',
        `${NAME} does not accept the credentials of this source (${reason}).`,
      )
    }
    isIn = true
  }

  return {
    isSignedIn: credentials !== undefined,
    ask: async (parameters, schema) => {
      const asked = { ...parameters, maxlag: MAX_LAG_S }
      if (credentials === undefined) return await send(asked, schema)
      for (let attempt = 0; ; attempt += 1) {
        if (!isIn) await signIn(credentials)
        try {
          return await send({ ...asked, assert: 'user' }, schema)
        } catch (error) {
          // The session has ended; once it is opened again.
          if (!(error instanceof ApiFailure) || error.kind !== 'unauthorized' || attempt > 0) throw error
          isIn = false
        }
      }
    },
  }
}
