import type { Refusal } from '../../kernel/refusal.ts'
import { refusalResponse } from '../../platform/http/render-refusal.ts'
import { MCP_SCOPE, metadataAddress } from '../oauth/oauth.ts'
import { SignInRequired } from './open-reader.ts'

/** The challenge of a 401; for a server with sign-in it says where to sign in (RFC 9728, section 5.1). */
function challengeOf(refusal: Refusal, publicUrl: string): string {
  if (!(refusal instanceof SignInRequired)) return 'Bearer realm="citewell"'
  const error = refusal.hadToken ? 'error="invalid_token", ' : ''
  return `Bearer ${error}scope="${MCP_SCOPE}", resource_metadata="${metadataAddress(publicUrl, refusal.serverName)}"`
}

/** Refuses a request before the protocol starts: the service's usual error body, with its real status. */
export function renderMcpRefusal(refusal: Refusal, requestId: string, publicUrl: string): Response {
  const isUnknown = refusal.code === 'UNAUTHENTICATED'
  return refusalResponse(
    refusal,
    requestId,
    isUnknown ? { 'www-authenticate': challengeOf(refusal, publicUrl) } : {},
  )
}
