import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { refusalResponse } from '../../platform/http/render-refusal.ts'
import { requestSource, type RequestSource } from '../../platform/http/request-source.ts'

export interface MountDeps {
  provider: () => Promise<Provider>
  publicUrl: () => string
  /** Counts a client registration; returns the refusal if a limit is reached. */
  takeRegistration: (from: RequestSource) => Promise<Refusal | undefined>
  /** The same for a request that stores a record, or fetches a document that an untrusted client names. */
  takeVisit: (from: RequestSource) => Promise<Refusal | undefined>
}

interface Place {
  method: 'GET' | 'POST'
  /** What a request counts as. */
  countsAs?: 'visit' | 'registration'
  /** Whether the authorization server answers preflights of browsers there. */
  takesPreflights?: true
}

/** The addresses of the authorization server. */
const PLACES: Readonly<Record<string, Place>> = {
  '/authorize': { method: 'GET', countsAs: 'visit' },
  '/authorize/:uid': { method: 'GET' },
  '/oauth/jwks': { method: 'GET', takesPreflights: true },
  '/.well-known/openid-configuration': { method: 'GET', takesPreflights: true },
  '/.well-known/oauth-authorization-server': { method: 'GET', takesPreflights: true },
  '/token': { method: 'POST', countsAs: 'visit', takesPreflights: true },
  '/revoke': { method: 'POST', countsAs: 'visit', takesPreflights: true },
  '/register': { method: 'POST', countsAs: 'registration' },
}

/** Any page may read that it was refused before the authorization server knows whose tool it is. */
const READABLE = { 'access-control-allow-origin': '*' }

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
    const takes = { visit: takeVisit, registration: takeRegistration }
    for (const [path, { method, countsAs, takesPreflights }] of Object.entries(PLACES)) {
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
      const allow = [...methods, 'OPTIONS'].join(', ')
      app.all(path, async (context) => {
        const { env, req } = context
        const refuse = (refusal: Refusal, headers: Record<string, string> = {}) =>
          refusalResponse(refusal, context.get('requestId'), { ...READABLE, ...headers })
        if (req.method === 'OPTIONS')
          return takesPreflights === true ? await serve(env) : context.body(null, 204, { allow })
        if (!methods.includes(req.method)) return refuse(new Refusal('METHOD_NOT_ALLOWED'), { allow })
        const refusal = countsAs && (await takes[countsAs](requestSource(env.incoming)))
        return refusal === undefined ? await serve(env) : refuse(refusal)
      })
    }
  }
}
