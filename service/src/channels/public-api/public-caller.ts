import type { ClientKey, ClientKeys, KeyedBase } from '../../accounts/client-keys/client-keys.ts'
import { corsHeaders } from '../../platform/http/cors.ts'
import type { AuthenticationRequest, Gate } from '../../platform/http/endpoint.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { credentialsFor } from './client-credentials.ts'
import { openAskedBase, requireOriginOfKey } from './open-asked-base.ts'
import { readerAddress } from './reader-address.ts'
import { takePublicLimits, type PublicLimitsDeps } from './take-public-limits.ts'

/** The caller of the public API, and the base that their key opens. */
export interface PublicCaller {
  base: KeyedBase
  clientKey: ClientKey
  /** Origin of the calling page; `undefined` for a server, and for a page of this service. */
  origin: string | undefined
  /** The languages of the reader, as their browser sends them. */
  acceptLanguage: string | undefined
}

export interface PublicGateDeps extends PublicLimitsDeps {
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  captcha: Pick<Captcha, 'check'>
  /** Whether a page of this service sent a request with these headers. */
  isOwnPage: (headers: Headers) => boolean
}

/**
 * The checks of every public endpoint: key, origin, base, rate limits, CAPTCHA. In this order, so that each refusal is seen only by callers
 * who passed the checks before it.
 */
export function createPublicGate(deps: PublicGateDeps): Gate<PublicCaller> {
  const { clientKeys, captcha, isOwnPage, ...ofLimits } = deps

  return async (asked) => {
    // Also without an origin: a cached answer must not be served to a page of another origin.
    asked.setHeader('vary', 'Origin')
    const { headers } = asked.request
    // Previews and the demo are pages of this service. Their readings carry no origin anyway, so neither do their questions.
    const origin = isOwnPage(headers) ? undefined : (headers.get('origin') ?? undefined)
    const clientKey = await clientKeys.authenticateClient(credentialsFor(asked.endpoint, headers))
    requireOriginOfKey(clientKey, origin)
    if (origin !== undefined) allowCorsRead(asked, origin)
    const askedId = asked.params['knowledgeBaseId']
    const base = openAskedBase(clientKey, typeof askedId === 'string' ? askedId : undefined)
    const address = readerAddress(asked.clientAddress, asked.forwardedFor, ofLimits.trustedProxies)
    await takeLimits(asked, clientKey, address)
    await checkCaptcha(asked, clientKey, address)
    const acceptLanguage = headers.get('accept-language') ?? undefined
    return { base, clientKey, origin, acceptLanguage }
  }

  async function takeLimits(
    asked: AuthenticationRequest,
    { clientKeyId }: ClientKey,
    address: string | undefined,
  ): Promise<void> {
    const { headers, refusal } = await takePublicLimits(ofLimits, asked.endpoint.operationId, {
      clientKeyId,
      address,
    })
    for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value)
    if (refusal !== undefined) throw refusal
  }

  async function checkCaptcha(
    { endpoint, request, signal }: AuthenticationRequest,
    clientKey: ClientKey,
    address: string | undefined,
  ): Promise<void> {
    const action = endpoint.caller === 'public-key' ? endpoint.captcha : undefined
    if (action === undefined) return
    const token = request.headers.get('x-captcha-token') ?? undefined
    await captcha.check({ clientKey, token, action, address, signal })
  }
}

function allowCorsRead(asked: AuthenticationRequest, origin: string): void {
  for (const [name, value] of Object.entries(corsHeaders(origin))) asked.setHeader(name, value)
}
