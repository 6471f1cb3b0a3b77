import type { Hono } from 'hono'
import type { HttpEnv } from './http-app.ts'

/** Browsers request the icon without being told to. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b63c5"/><path d="M8 9h5v7c0 4-2 6-5 7v-3c1.500-.7 2-2 2-4H8zm10 0h5v7c0 4-2 6-5 7v-3c1.500-.7 2-2 2-4h-2z" fill="#fff"/></svg>'

/** Answers, sign-in and an API are not for search engines; the documentation itself is elsewhere. */
const ROBOTS = 'User-agent: *\nDisallow: /\n'

const A_DAY = { 'cache-control': 'public, max-age=86400' }

/** `/favicon.ico` and `/robots.txt`. */
export const addBrowserFiles = (app: Hono<HttpEnv>): void => {
  app.get('/favicon.ico', (context) => context.body(ICON, 200, { ...A_DAY, 'content-type': 'image/svg+xml' }))
  app.get('/robots.txt', (context) => context.text(ROBOTS, 200, A_DAY))
}
