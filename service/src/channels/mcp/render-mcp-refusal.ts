import type { Refusal } from '../../kernel/refusal.ts'
import { refusalResponse } from '../../platform/http/render-refusal.ts'
import { MCP_SCOPE, metadataAddress } from '../oauth/oauth.ts'
import { SignInNeeded } from './open-reader.ts'

/** The challenge of a 401: where to sign in, where there is something to sign in to (RFC 9728, section 5.1). */
function challengeOf(refusal: Refusal, publicUrl: string): string {
  if (!(refusal instanceof SignInNeeded)) return 'Bearer realm="citewell"'
  const error = refusal.hadToken ? 'error="invalid_token", ' : ''
  return `Bearer ${error}scope="${MCP_SCOPE}", resource_metadata="${metadataAddress(publicUrl, refusal.serverName)}"`
}

/** A request that is turned away before the protocol begins: the service's own error body with its true status. */
export function renderMcpRefusal(refusal: Refusal, requestId: string, publicUrl: string): Response {
  const isUnknown = refusal.code === 'UNAUTHENTICATED'
  return refusalResponse(
    refusal,
    requestId,
    isUnknown ? { 'www-authenticate': challengeOf(refusal, publicUrl) } : {},
  )
}
