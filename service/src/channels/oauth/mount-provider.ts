import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'

/** Where a request comes from: its socket, and what proxies say. */
export interface CameFrom {
  clientAddress: string
  forwardedFor: string | undefined
}

export interface MountDeps {
  provider: () => Promise<Provider>
  publicUrl: () => string
  /** Counts a tool that registers itself; the refusal where there were too many from there. */
  takeRegistration: (from: CameFrom) => Promise<Refusal | undefined>
  /** The same for what keeps a record, or fetches a document that a stranger names. */
  takeVisit: (from: CameFrom) => Promise<Refusal | undefined>
}

const COUNTED_PATHS = ['/authorize', '/token', '/revoke'] as const

const PATHS = [
  '/authorize/:uid',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
] as const

export function cameFrom({ incoming }: HttpEnv['Bindings']): CameFrom {
  const forwardedFor = incoming?.headers['x-forwarded-for']
  return {
    clientAddress: incoming?.socket.remoteAddress ?? '',
    forwardedFor: forwardedFor === undefined ? undefined : String(forwardedFor),
  }
}

/** Hands the addresses of the authorization server to it. */
export function mountProvider({ provider, publicUrl, takeRegistration, takeVisit }: MountDeps) {
  return (app: Hono<HttpEnv>): void => {
    const serve = async (env: HttpEnv['Bindings']) => {
      const { incoming, outgoing } = env
      if (incoming === undefined || outgoing === undefined) throw new Refusal('NOT_FOUND')
      const { host, protocol } = new URL(publicUrl())
      incoming.headers['x-forwarded-host'] = host
      incoming.headers['x-forwarded-proto'] = protocol.slice(0, -1)
      const authorizationServer = await provider()
      await authorizationServer.callback()(incoming, outgoing)
      return RESPONSE_ALREADY_SENT
    }
    for (const path of PATHS) app.all(path, async (context) => await serve(context.env))
    for (const path of COUNTED_PATHS) {
      app.all(path, async (context) => {
        const refusal = await takeVisit(cameFrom(context.env))
        if (refusal !== undefined) throw refusal
        return await serve(context.env)
      })
    }
    app.all('/register', async (context) => {
      const refusal =
        context.req.method === 'POST' ? await takeRegistration(cameFrom(context.env)) : undefined
      if (refusal !== undefined) throw refusal
      return await serve(context.env)
    })
  }
}
