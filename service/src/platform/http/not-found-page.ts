import { html } from 'hono/html'
import { plainPage, type Markup } from './plain-page.ts'

/** Addresses of programs: what is not there is told in JSON, whoever asks. */
const OF_PROGRAMS = /^\/(?:api|mcp|oauth|\.well-known)(?:\/|$)/

/** Whether a person looks for a page: a browser that opens an address names HTML first of all. */
export const isForPerson = (method: string, path: string, accept: string | undefined) =>
  (method === 'GET' || method === 'HEAD') &&
  !OF_PROGRAMS.test(path) &&
  /(?:^|,)\s*text\/html\b/i.test(accept ?? '')

export const notFoundPage = (): Markup =>
  plainPage(
    'Not found',
    html`<h1>Not found</h1>
      <p>There is nothing at this address.</p>
      <p><a href="/">To the start</a></p>`,
  )
