import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { WidgetKey } from '@citewell/contract/widget-config'
import { Refusal } from '../../kernel/refusal.ts'
import { corsHeaders, isOriginAllowed } from '../../platform/http/cors.ts'
import { endpointsFor, type RequestFacts } from '../../platform/http/endpoint.ts'
import {
  readerAddress,
  requireOpenWidget,
  takePublicLimits,
  type PublicLimitsDeps,
} from '../public-api/public-api.ts'
import {
  findWidgetAnywhere,
  listPublicKeys,
  type PublicKeyRow,
  type WidgetKeysDb,
} from './widget-key-store.ts'

export interface WidgetKeyDeps extends PublicLimitsDeps {
  db: WidgetKeysDb
}

const endpoint = endpointsFor<'nobody', undefined>()

/** How long a browser may use the answer. A key that is revoked meanwhile is refused where it is used. */
const FRESH_SECONDS = 60

/**
 * The public client key for a page whose script tag names none. It is public by nature: every page with it shows it. Only public keys of
 * this base are read, and the page must be allowed by the key that it gets.
 */
export function createWidgetKeyRoutes({ db, ...ofLimits }: WidgetKeyDeps) {
  /** Counts the request, lets the page read the answer, and returns the page's origin. */
  async function admit(asked: RequestFacts): Promise<string | undefined> {
    asked.setHeader('vary', 'Origin')
    const origin = asked.request.headers.get('origin') ?? undefined
    if (origin !== undefined) {
      for (const [name, value] of Object.entries(corsHeaders(origin))) asked.setHeader(name, value)
    }
    const address = readerAddress(asked.clientAddress, asked.forwardedFor, ofLimits.trustedProxies)
    const counted = { clientKeyId: '', address }
    const { headers, refusal } = await takePublicLimits(ofLimits, ENDPOINTS.getWidgetKey.operationId, counted)
    for (const [name, value] of Object.entries(headers)) asked.setHeader(name, value)
    if (refusal !== undefined) throw refusal
    return origin
  }

  async function keyOf(asked: RequestFacts, knowledgeBaseId: string, origin: string | undefined) {
    const key = chooseKey(await listPublicKeys(db, knowledgeBaseId), origin)
    asked.setHeader('cache-control', `max-age=${FRESH_SECONDS}`)
    return key
  }

  return [
    endpoint(ENDPOINTS.getWidgetKey, async ({ params, ...asked }) => {
      const origin = await admit(asked)
      return await keyOf(asked, params.knowledgeBaseId, origin)
    }),
    endpoint(ENDPOINTS.getKeyOfSavedWidget, async ({ params, ...asked }) => {
      const origin = await admit(asked)
      const widget = requireOpenWidget(await findWidgetAnywhere(db, params.widgetId), origin)
      return await keyOf(asked, widget.knowledge_base_id, origin)
    }),
  ]
}

/**
 * The key of the base's own widget: the oldest live public one, which was made with the base. If it does not allow the page, the oldest that
 * names the page's origin; never one that allows every page, because the owner limited the first.
 *
 * @param keys live before revoked, the oldest first
 * @param origin of the page; undefined for a server, which no key refuses
 * @throws Refusal NOT_FOUND for a base that never had a public key, as for one that does not exist
 */
function chooseKey(keys: readonly PublicKeyRow[], origin: string | undefined): WidgetKey {
  const [own] = keys
  if (own === undefined)
    throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base with a website widget.' })
  if (own.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
  if (own.base_status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  if (own.status === 'revoked')
    throw new Refusal('UNAUTHENTICATED', {
      because: 'Every public client key of this knowledge base was revoked. Make one for the widget.',
    })
  const isOwnAllowed = origin === undefined || isOriginAllowed(origin, own.allowed_origins)
  const key = isOwnAllowed ? own : keys.find((other) => namesOrigin(other, origin))
  if (key?.public_key === undefined || key.public_key === null) throw new Refusal('ORIGIN_NOT_ALLOWED')
  return { knowledge_base_id: key.knowledge_base_id, client_key: key.public_key }
}

const namesOrigin = ({ status, allowed_origins: allowed }: PublicKeyRow, origin: string) =>
  status === 'live' && allowed.length > 0 && isOriginAllowed(origin, allowed)
