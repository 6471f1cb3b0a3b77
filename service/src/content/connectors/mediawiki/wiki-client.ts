import type { z } from 'zod'
import type { ConnectorInput } from '../connector.ts'
import { openApiClient, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, type ApiFailureKind } from '../rest/api-failure.ts'
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

const KIND_OF_CODE: Record<string, ApiFailureKind> = {
  readapidenied: 'forbidden',
  permissiondenied: 'forbidden',
  'permission-denied': 'forbidden',
  assertuserfailed: 'unauthorized',
  badtoken: 'unauthorized',
  nosuchpageid: 'gone',
  missingtitle: 'gone',
  ratelimited: 'unavailable',
  internal_api_error_DBQueryError: 'unavailable',
}

const COOKIES = { count: 50, characters: 4_096 }

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
      const [name = '', value = ''] = pair.split('=', 2)
      const isSmall = line.length <= COOKIES.characters && (cookies.size < COOKIES.count || cookies.has(name))
      if (isSmall && /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) && /^[!-~]*$/.test(value.trim()))
        cookies.set(name.trim(), value.trim())
    }
  }

  async function send<Found extends z.output<typeof Answer>>(
    parameters: Record<string, string>,
    schema: z.ZodType<Found>,
    form?: Record<string, string>,
  ): Promise<Found> {
    const query = new URLSearchParams({ ...parameters, ...COMMON })
    const { data, headers } = await client.json(`${pathname}?${query}`, schema, {
      ...(form !== undefined && { method: 'POST', form }),
    })
    keepCookies(headers)
    const { error } = data
    if (error === null || error === undefined) return data
    const info = (error.info ?? error.code).slice(0, 300).replaceAll(/[\p{C}\s]+/gu, ' ')
    throw new ApiFailure(KIND_OF_CODE[error.code] ?? 'refused', `${NAME} answered: ${info}`)
  }

  async function signIn({ user, password }: { user: string; password: string }): Promise<void> {
    cookies.clear()
    const token = (await send({ action: 'query', meta: 'tokens', type: 'login' }, TokenAnswer)).query?.tokens
    const form = { lgname: user, lgpassword: password, lgtoken: token?.logintoken ?? '' }
    const { login } = await send({ action: 'login' }, LoginAnswer, form)
    if (login?.result !== 'Success') {
      const reason = (login?.reason ?? '').slice(0, 300).replaceAll(/[\p{C}\s]+/gu, ' ')
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
