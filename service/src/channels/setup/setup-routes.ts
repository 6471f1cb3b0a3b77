import type { Hono } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { setupPage, tokenPage, usedPage } from './setup-page.ts'

export interface SetupRoutesDeps {
  /** Gives the owner's first access token for the code, once. */
  claimSetupCode(code: string): Promise<string>
  /** The address that the page's examples name. */
  publicUrl: () => string
}

/**
 * The page behind the set-up link. Opening it does nothing yet: a mail scanner or a preview that follows the link must
 * not use it up. The button does.
 */
export function createSetupRoutes({ claimSetupCode, publicUrl }: SetupRoutesDeps) {
  return (app: Hono<HttpEnv>): void => {
    app.get('/setup', (context) =>
      context.html(setupPage(context.req.query('code') ?? ''), 200, PLAIN_PAGE_HEADERS),
    )
    app.post('/setup', limitForm, async (context) => {
      const { code } = await context.req.parseBody()
      try {
        const token = await claimSetupCode(typeof code === 'string' ? code : '')
        return context.html(tokenPage(token, publicUrl()), 200, PLAIN_PAGE_HEADERS)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return context.html(usedPage(error.message), 404, PLAIN_PAGE_HEADERS)
      }
    })
  }
}
