import type { Hono } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import { invitationPage, joinedPage, lapsedPage } from './invitation-page.ts'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { tokenPage } from './setup-page.ts'

export interface InvitationRoutesDeps {
  /** Makes the invited person a member, and gives the first access token of a new one. */
  claim(code: string, ownToken: string | undefined): Promise<{ token: string | undefined }>
  /** The address that the page's examples name. */
  publicUrl: () => string
}

/** The page behind an invitation. As with the set-up link, opening it does nothing yet. */
export function createInvitationRoutes({ claim, publicUrl }: InvitationRoutesDeps) {
  return (app: Hono<HttpEnv>): void => {
    app.get('/invitation', (context) =>
      context.html(invitationPage(context.req.query('code') ?? ''), 200, PLAIN_PAGE_HEADERS),
    )
    app.post('/invitation', limitForm, async (context) => {
      const form = await context.req.parseBody()
      const code = textOf(form['code'])
      const ownToken = textOf(form['access_token']).trim()
      try {
        const { token } = await claim(code, ownToken === '' ? undefined : ownToken)
        const shown = token === undefined ? joinedPage() : tokenPage(token, publicUrl())
        return context.html(shown, 200, PLAIN_PAGE_HEADERS)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.code === 'NOT_FOUND')
          return context.html(lapsedPage(error.message), 404, PLAIN_PAGE_HEADERS)
        const status = error.code === 'UNAUTHENTICATED' ? 401 : 403
        return context.html(invitationPage(code, error.message), status, PLAIN_PAGE_HEADERS)
      }
    })
  }
}

const textOf = (field: unknown): string => (typeof field === 'string' ? field : '')
