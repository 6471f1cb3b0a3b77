import { html } from 'hono/html'
import { REFUSALS } from '@citewell/contract/refusals'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { jsonView, shellView } from './code-view.ts'
import { inline, type Markup } from './prose.ts'

const EXAMPLE_ERROR = {
  error: 'The request is not valid.',
  code: 'BAD_REQUEST',
  request_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  retryable: false,
  details: [{ path: 'query', message: 'is required' }],
}

const topic = (id: string, title: string, words: Markup, example: Markup | ''): Markup =>
  html`<section class="topic" id="${id}">
    <div class="words">
      <h3><a href="#${id}">${title}</a></h3>
      ${words}
    </div>
    <div class="examples">${example}</div>
  </section>`

const authentication = (address: string): Markup =>
  topic(
    'authentication',
    'Who is calling',
    html`<p>
        <strong>Readers</strong> come with a client key. In pages and apps send a public key as
        <code>X-Client-Key</code>; from a server you may send the pair <code>X-Client-Id</code> and
        <code>X-Client-Secret</code> instead. A key belongs to one knowledge base.
      </p>
      <p>
        <strong>You and your scripts</strong> come with an access token, as
        <code>Authorization: Bearer</code>. It never allows more than you may do yourself.
      </p>`,
    shellView(
      'curl',
      `export TOKEN=cw_pat_…\nexport KEY=cw_pk_…\n\ncurl "${address}/api/v1/me" \\\n  -H "Authorization: Bearer $TOKEN"`,
    ),
  )

const conventions = topic(
  'conventions',
  'What is the same everywhere',
  html`<p>
      Bodies are JSON in UTF-8, names are in snake_case, ids are UUIDs, times are ISO 8601 in UTC. A PATCH
      changes what it names and nothing else.
    </p>
    <p>
      Every answer carries <code>X-Request-Id</code>. Send your own and it is used. Name it when you ask for
      help.
    </p>
    <p>
      To make something once, however often the request is sent, give a POST that creates an
      <code>Idempotency-Key</code> of your own. For a day a second request with it and the same body does
      nothing and is answered like the first, with <code>Idempotency-Replayed: true</code>; with another body
      it is refused with <code>CONFLICT</code>.
    </p>
    <p>
      Requests of readers are counted. <code>RateLimit</code> says what is left,
      <code>RateLimit-Policy</code> of how much; past a limit wait for <code>Retry-After</code>.
    </p>`,
  '',
)

const lists = topic(
  'lists',
  'Lists',
  html`<p>
    A list takes <code>limit</code> and <code>cursor</code>. To go on, send the <code>next_cursor</code> of
    the last page as <code>cursor</code>, until it is null.
  </p>`,
  jsonView('A page', { data: ['…'], next_cursor: null }),
)

const streams = topic(
  'streams',
  'Streams',
  html`<p>
      Answers and progress come as server-sent events. Each event is one <code>data:</code> line with a JSON
      frame; there are no event names. In silence a comment line comes every 15 seconds: pass over it.
    </p>
    <p>
      What goes wrong before the stream opens is a normal error. After that it is one frame with
      <code>error</code> and <code>error_code</code>, and the stream ends. Close the connection to cancel.
    </p>`,
  '',
)

const errors = topic(
  'errors',
  'Errors',
  html`<p>
      The status is always the true one. <code>error</code> is written for the reader; <code>code</code> is
      for programs. Where <code>retryable</code> is true, the same request may succeed later; wait for
      <code>Retry-After</code> where it is sent.
    </p>
    <dl class="codes">
      ${Object.entries(REFUSALS).map(
        ([code, { status, reader }]) =>
          html`<div id="${code}">
            <dt><span class="status">${status}</span> <code>${code}</code></dt>
            <dd>${inline(reader)}</dd>
          </div>`,
      )}
    </dl>`,
  jsonView('The body of an error', EXAMPLE_ERROR),
)

export const TOPICS = [
  { id: 'authentication', title: 'Who is calling' },
  { id: 'conventions', title: 'What is the same everywhere' },
  { id: 'lists', title: 'Lists' },
  { id: 'streams', title: 'Streams' },
  { id: 'errors', title: 'Errors' },
] as const

/** What a reader has to know before the first operation. */
export const introduction = ({ info, servers: [server] }: OpenApiDocument): Markup =>
  html`<header class="opening">
      <p class="version">Version ${info.version}</p>
      <h1>${info.title}</h1>
      <p class="lead">${info.description}</p>
      <p class="quiet">
        At <code>${server.url}</code>. The same as a document for tools:
        <a href="/openapi.json">OpenAPI 3.1</a>.
      </p>
    </header>
    ${authentication(server.url)}${conventions}${lists}${streams}${errors}`
