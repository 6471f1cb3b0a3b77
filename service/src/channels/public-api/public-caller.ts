import type { ClientKey, ClientKeys } from '../../accounts/client-keys/client-keys.ts'
import { corsHeaders } from '../../platform/http/cors.ts'
import type { AuthenticationRequest, Gate } from '../../platform/http/endpoint.ts'
import type { Captcha } from '../captcha/captcha.ts'
import type { AskedBase, AskedBasesDb } from './asked-bases-store.ts'
import { credentialsFor } from './client-credentials.ts'
import { openAskedBase, requireOriginOfKey } from './open-asked-base.ts'
import { readerAddress } from './reader-address.ts'
import { takePublicLimits, type PublicLimitsDeps } from './take-public-limits.ts'

/** Who calls the public API, and the base that their key opens. */
export interface PublicCaller {
  base: AskedBase
  clientKey: ClientKey
  /** Of the page that asks; `undefined` for a server. */
  origin: string | undefined
}

export interface PublicGateDeps extends PublicLimitsDeps {
  db: AskedBasesDb
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  captcha: Pick<Captcha, 'check'>
}

/**
 * The gate of every public endpoint: key, origin, base, limits, CAPTCHA, in this order, so that each refusal tells only
 * someone who passed the ones before it.
 */
export function createPublicGate(deps: PublicGateDeps): Gate<PublicCaller> {
  const { db, clientKeys, captcha, ...ofLimits } = deps

  return async (asked) => {
    // Also where no page asks: what a cache keeps of this answer is not for the next page's origin.
    asked.setHeader('vary', 'Origin')
    const origin = asked.request.headers.get('origin') ?? undefined
    const clientKey = await authenticate(asked, origin)
    requireOriginOfKey(clientKey, origin)
    if (origin !== undefined) letPageRead(asked, origin)
    const askedId = asked.params['knowledgeBaseId']
    const base = await openAskedBase(db, clientKey, typeof askedId === 'string' ? askedId : undefined)
    const forwardedFor = asked.request.headers.get('x-forwarded-for') ?? undefined
    const address = readerAddress(asked.clientAddress, forwardedFor, ofLimits.trustedProxies)
    await takeLimits(asked, clientKey, address)
    await checkCaptcha(asked, clientKey, address)
    return { base, clientKey, origin }
  }

  async function authenticate(asked: AuthenticationRequest, origin: string | undefined): Promise<ClientKey> {
    try {
      return await clientKeys.authenticateClient(credentialsFor(asked.endpoint, asked.request.headers))
    } catch (refusal) {
      // There is no key whose origins could be asked, and the answer holds nothing but this refusal: without it the page
      // would see a failed connection, and nobody would learn that its key was revoked.
      if (origin !== undefined) letPageRead(asked, origin)
      throw refusal
    }
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

function letPageRead(asked: AuthenticationRequest, origin: string): void {
  for (const [name, value] of Object.entries(corsHeaders(origin))) asked.setHeader(name, value)
}
