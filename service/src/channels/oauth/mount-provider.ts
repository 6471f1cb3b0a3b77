import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { requestSource, type RequestSource } from '../../platform/http/request-source.ts'

export interface MountDeps {
  provider: () => Promise<Provider>
  publicUrl: () => string
  /** Counts a client registration; returns the refusal if a limit is reached. */
  takeRegistration: (from: RequestSource) => Promise<Refusal | undefined>
  /** The same for a request that stores a record, or fetches a document that an untrusted client names. */
  takeVisit: (from: RequestSource) => Promise<Refusal | undefined>
}

const COUNTED_PATHS = ['/authorize', '/token', '/revoke'] as const

const PATHS = [
  '/authorize/:uid',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
] as const

/** Routes the paths of the authorization server to it. */
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
        const refusal = await takeVisit(requestSource(context.env.incoming))
        if (refusal !== undefined) throw refusal
        return await serve(context.env)
      })
    }
    app.all('/register', async (context) => {
      const refusal =
        context.req.method === 'POST'
          ? await takeRegistration(requestSource(context.env.incoming))
          : undefined
      if (refusal !== undefined) throw refusal
      return await serve(context.env)
    })
  }
}
