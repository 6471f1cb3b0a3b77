import type { Page } from '../../platform/http/form-pages.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** What only a proxy adds. */
const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether a browser asks that runs on the machine of the service, by a name of that machine: another site that has its own name point
 * here is told by its `Host`, a proxy before the service by what it adds.
 */
export function isOnThisMachine({ req, env }: Page): boolean {
  const host = URL.parse(`http://${req.header('host') ?? ''}`)?.hostname ?? ''
  const peer = env.incoming?.socket.remoteAddress ?? ''
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(peer)
  return isNear && LOOPBACK.test(host) && OF_PROXIES.every((name) => req.header(name) === undefined)
}
