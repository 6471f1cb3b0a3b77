import type { Hono } from 'hono'
import type { SourceConnections } from '../../content/source-connections/source-connections.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { asPage, showPage } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { BrowserSessions } from '../sign-in/sign-in.ts'
import { connectedPage, notConnectedPage } from './connect-source-page.ts'

export interface ConnectSourcesDeps {
  connections: Pick<SourceConnections, 'finish'>
  browserSessions: Pick<BrowserSessions, 'callerOf'>
  /** Reports to the operator why an account was not connected. */
  report: (fault: unknown, doing: string) => void
}

/** Longer values are no codes, states or reasons. */
const MAX_CHARACTERS = 4_000

/** Where platforms send a browser back to, after a person allowed that an account is read. */
export const createConnectSourceRoutes =
  ({ connections, browserSessions, report }: ConnectSourcesDeps) =>
  (app: Hono<HttpEnv>): void => {
    app.get(
      '/connect-source/:platform',
      asPage(async (context) => {
        const caller = await browserSessions.callerOf(context.req.raw.headers)
        if (caller === undefined)
          throw new Refusal('FORBIDDEN', {
            because: 'You are not signed in with this browser. Sign in, and connect the account again.',
          })
        const given = (name: string) => {
          const value = context.req.query(name)
          return value === undefined || value === '' || value.length > MAX_CHARACTERS ? undefined : value
        }
        const cameBack = {
          platform: context.req.param('platform') ?? '',
          state: given('state') ?? '',
          code: given('code'),
          error: given('error'),
        }
        try {
          return await showPage(context, connectedPage(await connections.finish(caller, cameBack)))
        } catch (fault) {
          if (fault instanceof Refusal && fault.cause !== undefined)
            report(fault.cause, 'connecting an account')
          throw fault
        }
      }, notConnectedPage),
    )
  }
