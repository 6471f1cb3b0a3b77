import type { ClientKey, ClientKeys } from '../../accounts/client-keys/client-keys.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { corsHeaders, isOriginAllowed } from '../../platform/http/cors.ts'
import type { AtGate, Gate } from '../../platform/http/endpoint.ts'
import { rateLimitHeaders } from '../../platform/rate-limits/rate-limit-headers.ts'
import type { RateLimits } from '../../platform/rate-limits/rate-limits.ts'
import { findAskedBase, type AskedBase, type AskedBasesDb } from './asked-bases-store.ts'
import { clientCredentials } from './client-credentials.ts'
import { takesOf, type PublicRateLimits } from './public-rate-limits.ts'
import { readerAddress } from './reader-address.ts'

/** Who calls the public API, and the base that their key opens. */
export interface PublicCaller {
  base: AskedBase
  clientKey: ClientKey
  /** Of the page that asks; `undefined` for a server. */
  origin: string | undefined
}

export interface PublicGateDeps {
  db: AskedBasesDb
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  rateLimits: RateLimits
  limits: PublicRateLimits
}

/**
 * The gate of every public endpoint: key, origin, base, limits, in this order, so that each refusal tells only someone
 * who passed the ones before it.
 */
export function createPublicGate({ db, clientKeys, rateLimits, limits }: PublicGateDeps): Gate<PublicCaller> {
  return async (asked) => {
    const origin = asked.request.headers.get('origin') ?? undefined
    const clientKey = await authenticate(asked, origin)
    if (origin !== undefined) {
      if (!isOriginAllowed(origin, clientKey.allowedOrigins)) throw new Refusal('ORIGIN_NOT_ALLOWED')
      letPageRead(asked, origin)
    }
    const base = await openBase(clientKey, asked.params['knowledgeBaseId'])
    await takeLimits(asked, clientKey)
    return { base, clientKey, origin }
  }

  async function authenticate(asked: AtGate, origin: string | undefined): Promise<ClientKey> {
    try {
      return await clientKeys.authenticateClient(clientCredentials(asked.request.headers))
    } catch (refusal) {
      // There is no key whose origins could be asked, and the answer holds nothing but this refusal: without it the page
      // would see a failed connection, and nobody would learn that its key was revoked.
      if (origin !== undefined) letPageRead(asked, origin)
      throw refusal
    }
  }

  async function openBase(clientKey: ClientKey, askedId: unknown): Promise<AskedBase> {
    const isOther = typeof askedId === 'string' && askedId.toLowerCase() !== clientKey.knowledgeBaseId
    const base = isOther ? undefined : await findAskedBase(db, clientKey.knowledgeBaseId)
    if (base === undefined) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base for this key.' })
    }
    if (base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
    return base
  }

  async function takeLimits(asked: AtGate, clientKey: ClientKey): Promise<void> {
    const forwardedFor = asked.request.headers.get('x-forwarded-for') ?? undefined
    const address = readerAddress(asked.clientAddress, forwardedFor)
    const { clientKeyId } = clientKey
    const states = await rateLimits.take(
      takesOf(asked.endpoint.operationId, limits, { clientKeyId, address }),
    )
    for (const [name, value] of Object.entries(rateLimitHeaders(states))) asked.setHeader(name, value)
    const refused = states.find((state) => !state.isAllowed)
    if (refused !== undefined) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: refused.resetSeconds })
  }
}

function letPageRead(asked: AtGate, origin: string): void {
  for (const [name, value] of Object.entries(corsHeaders(origin))) asked.setHeader(name, value)
}
