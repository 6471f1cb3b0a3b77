import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'

export interface MountDeps {
  provider: () => Promise<Provider>
  publicUrl: () => string
  /** Counts a registration of this address; the refusal where there were too many. */
  takeRegistration: (clientAddress: string) => Promise<Refusal | undefined>
}

const PATHS = [
  '/authorize',
  '/authorize/:uid',
  '/token',
  '/revoke',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
] as const

/** Hands the addresses of the authorization server to it. */
export function mountProvider({ provider, publicUrl, takeRegistration }: MountDeps) {
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
    app.all('/register', async (context) => {
      const refusal =
        context.req.method === 'POST'
          ? await takeRegistration(context.env.incoming?.socket.remoteAddress ?? '')
          : undefined
      if (refusal !== undefined) throw refusal
      return await serve(context.env)
    })
  }
}
