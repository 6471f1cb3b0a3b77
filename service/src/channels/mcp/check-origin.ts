import { Refusal } from '../../kernel/refusal.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const hostnameOf = (host: string) => URL.parse(`http://${host}`)?.hostname ?? ''

export interface OriginRule {
  /** Public URL of this service. */
  publicUrl: string
  /** Origins of web clients that the operator allows. */
  allowedOrigins: readonly string[]
}

/**
 * Whether a page may call MCP: pages of the service itself, on the reader's own machine (a tool such as the Inspector), or of an origin
 * that the operator allows. The allowed origins of client keys do not apply to MCP.
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
 * Protects against DNS rebinding, where a page of another site reaches this service through a name that resolves to the reader's machine:
 * the origin must be allowed, and for a service at a loopback address the requested host must be a loopback name too.
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
