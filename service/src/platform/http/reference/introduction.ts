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
    'Authentication',
    html`<p>
        <strong>Readers</strong> authenticate with a client key. In pages and apps send a public key as
        <code>X-Client-Key</code>; from a server you may send the pair <code>X-Client-Id</code> and
        <code>X-Client-Secret</code> instead. A key belongs to one knowledge base.
      </p>
      <p>
        <strong>Members and their scripts</strong> authenticate with an access token, as
        <code>Authorization: Bearer</code>. A token has at most the permissions of its owner.
      </p>`,
    shellView(
      'curl',
      `export TOKEN=cw_pat_…\nexport KEY=cw_pk_…\n\ncurl "${address}/api/v1/me" \\\n  -H "Authorization: Bearer $TOKEN"`,
    ),
  )

const conventions = topic(
  'conventions',
  'Conventions',
  html`<p>
      Bodies are JSON in UTF-8, names are in snake_case, ids are UUIDs, times are ISO 8601 in UTC. A PATCH
      changes only the fields that it contains.
    </p>
    <p>
      Every response has an <code>X-Request-Id</code>. If you send your own, it is used. Mention it when you
      ask for help.
    </p>
    <p>
      To create a record only once, however often the request is sent, send an
      <code>Idempotency-Key</code> of your choice with the POST. For a day, a second request with the same key
      and body has no effect and gets the response of the first, with <code>Idempotency-Replayed: true</code>;
      with another body it is refused with <code>CONFLICT</code>.
    </p>
    <p>
      Requests of readers are rate limited. <code>RateLimit</code> shows what is left,
      <code>RateLimit-Policy</code> the limits; after a refusal wait for <code>Retry-After</code> seconds.
    </p>`,
  '',
)

const lists = topic(
  'lists',
  'Lists',
  html`<p>
    A list accepts <code>limit</code> and <code>cursor</code>. To get the next page, send the
    <code>next_cursor</code> of the previous one as <code>cursor</code>, until it is null.
  </p>`,
  jsonView('A page', { data: ['…'], next_cursor: null }),
)

const streams = topic(
  'streams',
  'Streams',
  html`<p>
      Answers and progress are sent as server-sent events. Each event is one <code>data:</code> line with a
      JSON frame; there are no event names. During silence a comment line is sent every 15 seconds: ignore it.
    </p>
    <p>
      A failure before the stream starts is a normal error response. A later one is one frame with
      <code>error</code> and <code>error_code</code>, which ends the stream. Close the connection to cancel.
    </p>`,
  '',
)

const errors = topic(
  'errors',
  'Errors',
  html`<p>
      The HTTP status always matches the error. <code>error</code> is a message for the reader;
      <code>code</code> is for programs. If <code>retryable</code> is true, the same request may succeed
      later; wait for <code>Retry-After</code> seconds if it is sent.
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
  { id: 'authentication', title: 'Authentication' },
  { id: 'conventions', title: 'Conventions' },
  { id: 'lists', title: 'Lists' },
  { id: 'streams', title: 'Streams' },
  { id: 'errors', title: 'Errors' },
] as const

/** What a reader should know before the first operation. */
export const introduction = ({ info, servers: [server] }: OpenApiDocument): Markup =>
  html`<header class="opening">
      <p class="version">Version ${info.version}</p>
      <h1>${info.title}</h1>
      <p class="lead">${info.description}</p>
      <p class="quiet">
        Base URL: <code>${server.url}</code>. The same reference for tools:
        <a href="/openapi.json">OpenAPI 3.1</a>.
      </p>
    </header>
    ${authentication(server.url)}${conventions}${lists}${streams}${errors}`
