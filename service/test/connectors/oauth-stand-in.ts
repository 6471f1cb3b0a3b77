import { createHash } from 'node:crypto'
import { startStandIn, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

/** What a platform's authorization server does beyond, or other than, RFC 6749. */
export interface AuthorizationRules {
  authorizePath: string
  tokenPath: string
  revokePath?: string
  clientId: string
  clientSecret: string
  /** As registered; compared character by character. */
  redirectUrl: string
  scopes: readonly string[]
  /** Whether a code comes with a refresh token, from what was asked. */
  givesRefreshToken: (asked: URLSearchParams) => boolean
  /** A refresh token works once, and one used again ends all that came of its code (RFC 9700, 4.14.2). */
  rotates: boolean
  needsPkce: boolean
  /** Fields of a form, unless it is another. */
  clientProof?: 'json' | 'basic-json'
  /** Headers that each request needs. */
  needsHeaders?: Readonly<Record<string, string>>
  /** How a token is taken back, if not as RFC 7009 has it. */
  revokesBy?: { method: 'DELETE'; field: 'access_token' }
  /** What is answered to a refresh token that does not work; as RFC 6749 has it, if not given. */
  refusesRefresh?: StandInAnswer
  /** Parameters of an authorization request beside those of the RFCs. */
  alsoKnows?: readonly string[]
  /** Changes what is answered at the token address: fields, or a status. */
  present?: (answer: Record<string, unknown>) => StandInAnswer
}

interface Code {
  challenge: string | null
  redirectUrl: string
  scopes: readonly string[]
  isOffline: boolean
  isUsed: boolean
  family: number
}

const refusal = (error: string, error_description: string, status = 400): StandInAnswer => ({
  status,
  body: { error, error_description },
})

const RFC_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

/**
 * An authorization server: RFC 6749 with 7636 (PKCE) and 7009 (revocation), strict in all of it. The person is the test: `person` says what
 * they do at its page.
 */
export async function startAuthorizationServer(rules: AuthorizationRules) {
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, { family: number; scopes: readonly string[]; isUsed: boolean }>()
  const accessTokens = new Map<string, { family: number; scopes: readonly string[] }>()
  const ended = new Set<number>()
  const person: { denies: boolean; grants: readonly string[] | undefined } = {
    denies: false,
    grants: undefined,
  }
  let made = 0
  let lifeSeconds = 3_600

  /** What is wrong with an authorization request; undefined if nothing is. */
  function faultOf(query: URLSearchParams, scopes: readonly string[]): string | undefined {
    const known = [...RFC_PARAMETERS, ...(rules.alsoKnows ?? [])]
    const isUnknown = [...query.keys()].some((name) => !known.includes(name))
    if (isUnknown || query.get('response_type') !== 'code') return 'invalid_request'
    // A platform without scopes, or without PKCE, knows no such parameters.
    if (query.has('scope') && rules.scopes.length === 0) return 'invalid_request'
    if (rules.needsPkce !== query.has('code_challenge')) return 'invalid_request'
    if (rules.needsPkce && query.get('code_challenge_method') !== 'S256') return 'invalid_request'
    return scopes.every((scope) => rules.scopes.includes(scope)) ? undefined : 'invalid_scope'
  }

  function authorize({ query }: StandInRequest): StandInAnswer {
    const redirect = query.get('redirect_uri')
    // Nobody is sent to an address that is not registered.
    if (query.get('client_id') !== rules.clientId || redirect !== rules.redirectUrl)
      return { status: 400, body: '<h1>Error 400: redirect_uri_mismatch</h1>' }
    const back = (fields: Record<string, string>): StandInAnswer => ({
      status: 302,
      headers: {
        location: `${redirect}?${new URLSearchParams({ ...fields, state: query.get('state') ?? '' }).toString()}`,
      },
      body: '',
    })
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
    const wrong = faultOf(query, scopes)
    if (wrong !== undefined) return back({ error: wrong })
    if (person.denies) return back({ error: 'access_denied' })
    const code = `code-${(made += 1)}`
    codes.set(code, {
      challenge: query.get('code_challenge'),
      redirectUrl: redirect,
      scopes: person.grants ?? scopes,
      isOffline: rules.givesRefreshToken(query),
      isUsed: false,
      family: made,
    })
    return back({ code })
  }

  function tokensOf(family: number, scopes: readonly string[], hasRefresh: boolean): StandInAnswer {
    const accessToken = `access-${(made += 1)}`
    accessTokens.set(accessToken, { family, scopes })
    const refreshToken = `refresh-${made}`
    if (hasRefresh) refreshTokens.set(refreshToken, { family, scopes, isUsed: false })
    const answer = {
      access_token: accessToken,
      expires_in: lifeSeconds,
      token_type: 'Bearer',
      scope: scopes.join(' '),
      ...(hasRefresh && { refresh_token: refreshToken }),
    }
    return rules.present?.(answer) ?? { body: answer }
  }

  function fieldsOf({ body, headers, method }: StandInRequest): Record<string, string> | undefined {
    if (rules.clientProof === 'basic-json' || method === 'DELETE') {
      const basic = Buffer.from(`${rules.clientId}:${rules.clientSecret}`).toString('base64')
      return headers.authorization === `Basic ${basic}` ? (body as Record<string, string>) : undefined
    }
    const fields =
      typeof body === 'string'
        ? Object.fromEntries(new URLSearchParams(body))
        : ((body ?? {}) as Record<string, string>)
    const isRight = fields['client_id'] === rules.clientId && fields['client_secret'] === rules.clientSecret
    return isRight ? fields : undefined
  }

  function exchange(fields: Record<string, string>): StandInAnswer {
    const code = codes.get(fields['code'] ?? '')
    if (code === undefined) return refusal('invalid_grant', 'Malformed auth code.')
    if (code.isUsed) {
      ended.add(code.family)
      return refusal('invalid_grant', 'The code was used already.')
    }
    code.isUsed = true
    if (fields['redirect_uri'] !== code.redirectUrl)
      return refusal('invalid_grant', 'The redirect address is another one.')
    const challenge = createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url')
    if (code.challenge !== null && challenge !== code.challenge)
      return refusal('invalid_grant', 'Invalid code verifier.')
    return tokensOf(code.family, code.scopes, code.isOffline)
  }

  function refresh(fields: Record<string, string>): StandInAnswer {
    const given = refreshTokens.get(fields['refresh_token'] ?? '')
    if (given === undefined || ended.has(given.family))
      return rules.refusesRefresh ?? refusal('invalid_grant', 'Token has been expired or revoked.')
    if (!rules.rotates) return tokensOf(given.family, given.scopes, false)
    if (given.isUsed) {
      ended.add(given.family)
      return rules.refusesRefresh ?? refusal('invalid_grant', 'Unknown or invalid refresh token.')
    }
    given.isUsed = true
    return tokensOf(given.family, given.scopes, true)
  }

  /** Ends what it knows: an access token that has ended ends nothing. */
  function revoke(token: string): StandInAnswer {
    const family = (refreshTokens.get(token) ?? accessTokens.get(token))?.family
    if (family !== undefined) ended.add(family)
    if (rules.revokesBy === undefined) return { body: {} }
    return family === undefined ? { status: 404, body: { message: 'Not Found' } } : { status: 204, body: '' }
  }

  /** A header that is not as it must be; undefined if all are. */
  function lackIn({ headers, method }: StandInRequest): string | undefined {
    const isForm = rules.clientProof === undefined && method === 'POST'
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const lacks = Object.entries({ 'content-type': type, ...rules.needsHeaders }).find(
      ([name, value]) => headers[name]?.toString().startsWith(value) !== true,
    )
    return lacks === undefined ? undefined : `${lacks.join(' must be ')}.`
  }

  function post(request: StandInRequest): StandInAnswer {
    const { path, method } = request
    const isRevocation = path === rules.revokePath && method === (rules.revokesBy?.method ?? 'POST')
    if (!isRevocation && (path !== rules.tokenPath || method !== 'POST'))
      return { status: 404, body: 'Not found' }
    const lacks = lackIn(request)
    if (lacks !== undefined) return refusal('invalid_request', lacks)
    const fields = fieldsOf(request)
    if (fields === undefined) return refusal('invalid_client', 'The OAuth client was not found.', 401)
    if (isRevocation) return revoke(fields[rules.revokesBy?.field ?? 'token'] ?? '')
    if (fields['grant_type'] === 'authorization_code') return exchange(fields)
    if (fields['grant_type'] === 'refresh_token') return refresh(fields)
    return refusal('unsupported_grant_type', 'Invalid grant_type')
  }

  function answer(request: StandInRequest): StandInAnswer {
    if (request.method !== 'GET') return post(request)
    return request.path === rules.authorizePath ? authorize(request) : { status: 404, body: 'Not found' }
  }
  const server = await startStandIn(answer)

  return {
    server,
    /** For a platform whose API is at the same host. */
    answer,
    person,
    /** Of access tokens made from now on. */
    setLife: (seconds: number) => {
      lifeSeconds = seconds
    },
    /** Whether an access token is accepted by the API. */
    isValid: (token: string) => {
      const family = accessTokens.get(token)?.family
      return family !== undefined && !ended.has(family)
    },
    /** What an access token opens. */
    scopesOf: (token: string) => accessTokens.get(token)?.scopes ?? [],
    /** Whether new access tokens can still be had of some refresh token. */
    canRenew: () =>
      [...refreshTokens.values()].some(
        ({ family, isUsed }) => !ended.has(family) && !(rules.rotates && isUsed),
      ),
    /** The API stops accepting the access tokens made so far. */
    expireAccess: () => accessTokens.clear(),
    /** The person removes the app at the platform. */
    revokeAll: () => {
      for (const { family } of refreshTokens.values()) ended.add(family)
    },
    /** Goes where the service sends a browser. Returns where it is sent back to; undefined: nowhere. */
    visit: async (authorizeUrl: string): Promise<URL | undefined> => {
      const response = await fetch(authorizeUrl, { redirect: 'manual' })
      const location = response.headers.get('location')
      await response.text()
      return location === null ? undefined : new URL(location)
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>

/** What the API of a platform needs of it. */
export type ConnectedAccounts = Pick<AuthorizationServer, 'answer' | 'isValid' | 'scopesOf'>
