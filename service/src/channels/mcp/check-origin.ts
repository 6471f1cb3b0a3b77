import { Refusal } from '../../kernel/refusal.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const hostnameOf = (host: string) => URL.parse(`http://${host}`)?.hostname ?? ''

export interface OriginRule {
  /** Of this service. */
  publicUrl: string
  /** Of web clients that the operator lets in. */
  allowedOrigins: readonly string[]
}

/**
 * Whether a browser's page may talk to MCP: the service's own, one on the reader's own machine (a tool such as the Inspector), or one
 * that the operator allows. Client keys' origins do not apply to MCP.
 */
export function isMcpOriginAllowed(origin: string, { publicUrl, allowedOrigins }: OriginRule): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin.toLowerCase()) return false
  return (
    asked.origin === new URL(publicUrl).origin ||
    LOOPBACK.has(asked.hostname) ||
    allowedOrigins.includes(asked.origin)
  )
}

/**
 * Keeps a page of somewhere else from reaching this service through a name that it points at the reader's machine (DNS rebinding):
 * the origin must be known, and at a loopback address so must the host that is asked for.
 *
 * @throws Refusal ORIGIN_NOT_ALLOWED
 */
export function requireMcpOrigin(request: Request, rule: OriginRule): void {
  const origin = request.headers.get('origin')
  if (origin !== null && !isMcpOriginAllowed(origin, rule)) throw new Refusal('ORIGIN_NOT_ALLOWED')
  const own = new URL(rule.publicUrl)
  const asked = hostnameOf(request.headers.get('host') ?? '')
  if (LOOPBACK.has(own.hostname) && !LOOPBACK.has(asked)) throw new Refusal('ORIGIN_NOT_ALLOWED')
}
