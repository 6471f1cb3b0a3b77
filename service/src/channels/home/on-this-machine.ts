import type { Page } from '../../platform/http/form-pages.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Headers that only a proxy adds. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether the browser runs on the same machine and used a local name. The `Host` check detects another site whose name resolves to this
 * machine (DNS rebinding); the headers detect a proxy in front of the service.
 */
export function isOnThisMachine({ req, env }: Page): boolean {
  const host = URL.parse(`http://${req.header('host') ?? ''}`)?.hostname ?? ''
  const peer = env.incoming?.socket.remoteAddress ?? ''
  const isLoopbackPeer = /^(?:::ffff:)?127\.|^::1$/.test(peer)
  return (
    isLoopbackPeer && LOOPBACK.test(host) && PROXY_HEADERS.every((name) => req.header(name) === undefined)
  )
}
