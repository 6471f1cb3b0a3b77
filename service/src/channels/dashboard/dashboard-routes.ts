import type { Hono } from 'hono'
import type { Page } from '../../platform/http/form-pages.ts'
import { acceptedEncoding } from '../../platform/http/accepted-encoding.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { BrowserSessions } from '../sign-in/sign-in.ts'
import type { DashboardFiles } from './dashboard.ts'

/** Nothing but scripts and styles of this service, and no script makes markup of a text. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Screens of the dashboard. Every other address stays what it is. */
const SCREENS = ['/start', '/ask', '/ask/*', '/w/*', '/kb/*', '/me', '/instance']

export interface DashboardRoutesDeps {
  files: DashboardFiles
  browserSessions: Pick<BrowserSessions, 'personOf'>
}

/** The dashboard: one page for all of its addresses, for those who are signed in, and the files that it loads. */
export function createDashboardRoutes({ files, browserSessions }: DashboardRoutesDeps) {
  const show = async (context: Page) => context.html(await files.page(), 200, PAGE_HEADERS)

  return (app: Hono<HttpEnv>): void => {
    // Without a session the home page follows, which says what this is.
    app.get('/', async (context, next) =>
      (await browserSessions.personOf(context)) === undefined ? await next() : await show(context),
    )
    for (const path of SCREENS) {
      app.get(path, async (context) => {
        if ((await browserSessions.personOf(context)) !== undefined) return await show(context)
        const { pathname, search } = new URL(context.req.url)
        return context.redirect(`/sign-in?to=${encodeURIComponent(`${pathname}${search}`)}`)
      })
    }
    app.get('/dashboard/:file', async (context) => {
      const encoding = acceptedEncoding(context.req.header('accept-encoding'))
      const found = await files.read(context.req.param('file'), encoding)
      if (found === undefined) return await context.notFound()
      return context.body(found.bytes, 200, {
        'content-type': found.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      })
    })
  }
}
