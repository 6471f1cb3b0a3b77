import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ClientProof, OAuthPlatform } from './oauth-platforms.ts'

/** The app of the operator at a platform. */
export interface OAuthApp {
  clientId: string
  clientSecret: string
  /** Of Microsoft: the directory whose accounts may be connected. */
  tenant?: string | undefined
}

/** What a platform gave. */
export interface Tokens {
  accessToken: string
  refreshToken: string | undefined
  /** Milliseconds since 1970; undefined: it says nothing of an end. */
  expiresAt: number | undefined
}

type OAuthFailureKind = 'refused' | 'app' | 'unavailable'

/**
 * A request to an authorization server that gave no tokens. `refused`: for good, until a person connects again. `app`: until the operator
 * sets the app of this service again. The message is for the owner and has no token in it.
 */
export class OAuthFailure extends Error {
  readonly kind: OAuthFailureKind

  constructor(kind: OAuthFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'OAuthFailure'
    this.kind = kind
  }
}

/** An address of a platform, for this app. */
export const addressFor = (address: string, { tenant = 'organizations', clientId }: OAuthApp): string =>
  address.replace('{tenant}', encodeURIComponent(tenant)).replace('{client_id}', encodeURIComponent(clientId))

/** Bytes of an answer: a token has at most some thousand. */
const MAX_BYTES = 65_536
const TIMEOUT_MS = 15_000

/** A token, an error code: printable ASCII, as RFC 6749 (appendix A) has them. */
const printable = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\x20-\x7E]+$/)

const TokenAnswer = z.object({
  access_token: printable(8_000),
  refresh_token: printable(8_000).nullish(),
  expires_in: z.number().min(0).max(1e9).nullish(),
  token_type: z.string().max(50).nullish(),
  scope: z.string().max(10_000).nullish(),
})

const ErrorAnswer = z.object({ error: printable(100), error_description: z.string().max(2_000).nullish() })

/**
 * What ends a connection. RFC 6749, 5.2; OpenID Connect, 3.1.2.6; Slack's are at
 * https://docs.slack.dev/authentication/using-token-rotation, and GitHub's, which come with status 200, at
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
 */
const ENDED = new Set([
  'invalid_grant',
  'interaction_required',
  'consent_required',
  'invalid_refresh_token',
  'token_revoked',
  'bad_refresh_token',
])
/** The app is unknown, its secret is wrong or has expired. Slack's are at https://docs.slack.dev/reference/methods/oauth.v2.access */
const OF_THE_APP = new Set([
  'invalid_client',
  'unauthorized_client',
  'bad_client_secret',
  'invalid_client_id',
  'incorrect_client_credentials',
])

/** An error says nothing of the connection if the server is busy, or if it is another one: Slack's `ratelimited`, `internal_error`. */
function kindOf(status: number, code: string, words: string): OAuthFailureKind {
  if (status >= 500 || status === 429) return 'unavailable'
  // Atlassian says it of a refresh token that has ended, not of the app.
  if (code === 'unauthorized_client' && /refresh_token is invalid/i.test(words)) return 'refused'
  if (OF_THE_APP.has(code)) return 'app'
  return ENDED.has(code) ? 'refused' : 'unavailable'
}

const wordsOf = (text: string) =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .replace(/[.]$/, '')

export interface OAuthRequestsDeps {
  outbound: Pick<Outbound, 'fetchOutbound'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Where a platform is instead of at its maker's: for tests. */
  placed: (address: string) => string
}

/** Requests of this service to authorization servers. */
export function createOAuthRequests({ outbound, now, placed }: OAuthRequestsDeps) {
  async function send(
    { platform, app }: { platform: OAuthPlatform; app: OAuthApp },
    address: string,
    fields: Record<string, string>,
    {
      method = 'POST',
      clientProof = platform.clientProof,
    }: { method?: 'POST' | 'DELETE'; clientProof?: ClientProof } = {},
  ): Promise<{ status: number; text: string }> {
    const inBody = clientProof !== 'basic-json'
    const proved = inBody ? { ...fields, client_id: app.clientId, client_secret: app.clientSecret } : fields
    const basic = Buffer.from(`${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`)
    try {
      const response = await outbound.fetchOutbound(placed(addressFor(address, app)), {
        // The address is ours, from the table of platforms.
        chosenBy: 'operator',
        method,
        headers: {
          accept: 'application/json',
          'content-type': clientProof === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
          ...(!inBody && { authorization: `Basic ${basic.toString('base64')}` }),
          ...platform.headers,
        },
        body: clientProof === 'form' ? new URLSearchParams(proved).toString() : JSON.stringify(proved),
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        followRedirects: false,
      })
      return { status: response.status, text: await response.text() }
    } catch (cause) {
      if (!(cause instanceof OutboundFailure)) throw cause
      throw new OAuthFailure('unavailable', `${platform.name} could not be asked: ${cause.message}`, {
        cause,
      })
    }
  }

  /**
   * Asks for tokens.
   * @param given.keeps the refresh token that stays valid if the answer has none
   */
  async function ask(
    platform: OAuthPlatform,
    app: OAuthApp,
    fields: Record<string, string>,
    keeps?: string,
  ): Promise<Tokens & { scopes: readonly string[] | undefined }> {
    const asked = now()
    const { status, text } = await send({ platform, app }, platform.tokenUrl, fields)
    const answer = parsed(text)
    const error = ErrorAnswer.safeParse(answer)
    // Some answer errors with 200.
    if (error.success) {
      const { error: code, error_description: more } = error.data
      throw new OAuthFailure(
        kindOf(status, code, more ?? ''),
        `${platform.name} refuses: ${wordsOf(more ?? '') || code} (${code}).`,
      )
    }
    const tokens = TokenAnswer.safeParse(answer)
    if (status !== 200 || !tokens.success)
      throw new OAuthFailure(
        'unavailable',
        `${platform.name} answered ${status} with something else than tokens. Try again.`,
      )
    const { access_token, refresh_token, expires_in, scope } = tokens.data
    return {
      accessToken: access_token,
      refreshToken: refresh_token ?? keeps,
      expiresAt: expires_in === undefined || expires_in === null ? undefined : asked + expires_in * 1_000,
      scopes: scope?.split(/[\s,]+/).filter((one) => one !== ''),
    }
  }

  /** New tokens. Some platforms give a new refresh token each time, and the old one ends. */
  async function refresh(platform: OAuthPlatform, app: OAuthApp, refreshToken: string): Promise<Tokens> {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const { scopes: _same, ...tokens } = await ask(platform, app, fields, refreshToken)
    return tokens
  }

  /** The token that ends the access. An access token that has ended is none: there is a new one for the refresh token. */
  async function endingToken(
    platform: OAuthPlatform,
    app: OAuthApp,
    { accessToken, refreshToken }: Tokens,
  ): Promise<string> {
    if (refreshToken === undefined) return accessToken
    if (platform.revokes?.token === 'refresh') return refreshToken
    try {
      return (await refresh(platform, app, refreshToken)).accessToken
    } catch (error) {
      if (error instanceof OAuthFailure) return accessToken
      throw error
    }
  }

  return {
    refresh,
    /** Exchanges the code that a browser came back with. */
    exchange: async (
      platform: OAuthPlatform,
      app: OAuthApp,
      { code, verifier, redirectUrl }: { code: string; verifier: string; redirectUrl: string },
    ): Promise<Tokens> => {
      const { scopes, ...tokens } = await ask(platform, app, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUrl,
        ...(platform.hasPkce && { code_verifier: verifier }),
      })
      // Some write the whole address of a scope, whatever was asked for.
      const granted = scopes?.map((scope) => scope.slice(scope.lastIndexOf('/') + 1).toLowerCase())
      const missing = platform.neededScopes.filter((scope) => granted?.includes(scope) === false)
      if (missing.length > 0)
        throw new OAuthFailure(
          'refused',
          `Reading was not allowed at ${platform.name}. Connect again, and leave every box of the page there ticked.`,
        )
      if (platform.needsRefreshToken && tokens.refreshToken === undefined)
        throw new OAuthFailure(
          'refused',
          `${platform.name} gave no lasting access. Remove the app at ${platform.removeAt}, and connect again.`,
        )
      return tokens
    },
    /** Takes back what was allowed (RFC 7009). False: the platform has no such address, or did not do it. */
    revoke: async (platform: OAuthPlatform, app: OAuthApp, tokens: Tokens): Promise<boolean> => {
      if (platform.revokes === undefined) return false
      const { url, token: _which, field = 'token', ...how } = platform.revokes
      const token = await endingToken(platform, app, tokens)
      try {
        const { status } = await send({ platform, app }, url, { [field]: token }, how)
        return status === 200 || status === 204
      } catch (error) {
        if (error instanceof OAuthFailure) return false
        throw error
      }
    },
    /** What the platform calls the account; undefined if it does not say. */
    accountOf: async (platform: OAuthPlatform, tokens: Tokens): Promise<string | undefined> => {
      if (platform.account === undefined) return undefined
      try {
        const response = await outbound.fetchOutbound(placed(platform.account.url), {
          chosenBy: 'operator',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${tokens.accessToken}`,
            ...platform.headers,
          },
          maxBytes: MAX_BYTES,
          timeoutMs: TIMEOUT_MS,
          followRedirects: false,
        })
        const answer = parsed(await response.text())
        if (response.status !== 200 || typeof answer !== 'object' || answer === null) return undefined
        const name = platform.account.read(answer as Record<string, unknown>)
        return typeof name === 'string' && name !== '' ? wordsOf(name) : undefined
      } catch (error) {
        if (error instanceof OutboundFailure) return undefined
        throw error
      }
    },
  }
}

export type OAuthRequests = ReturnType<typeof createOAuthRequests>

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
