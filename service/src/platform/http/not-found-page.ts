import { html } from 'hono/html'
import { plainPage, type Markup } from './plain-page.ts'

/** Addresses for programs: a 404 is JSON there, even for a browser. */
const API_PATHS = /^\/(?:api|mcp|oauth|\.well-known)(?:\/|$)/

/** Whether a person opened a page: a browser that navigates lists HTML in Accept. */
export const isPageRequest = (method: string, path: string, accept: string | undefined) =>
  (method === 'GET' || method === 'HEAD') &&
  !API_PATHS.test(path) &&
  /(?:^|,)\s*text\/html\b/i.test(accept ?? '')

export const notFoundPage = (): Markup =>
  plainPage(
    'Not found',
    html`<h1>Not found</h1>
      <p>There is nothing at this address.</p>
      <p><a href="/">Go to the start page</a></p>`,
  )
