import { html } from 'hono/html'

/** Nothing from elsewhere, no script, no frame, and no trace of the code in an address that is sent on. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2128; --quiet: #59636e; --paper: #fff; --panel: #f4f6f8; --accent: #0b63c5; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6e9ed; --quiet: #9aa4af; --paper: #14181d; --panel: #1d2329; --accent: #6cb0ff; }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
  main { max-width: 38rem; margin: 12vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; }
  p { margin: 0 0 1rem; } .quiet { color: var(--quiet); }
  pre { background: var(--panel); border-radius: 8px; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
    font: 0.9rem/1.5 ui-monospace, monospace; }
  button { font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: 8px;
    padding: 0.6rem 1.1rem; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  a { color: var(--accent); }
`

type Markup = ReturnType<typeof html>

const page = (title: string, body: Markup): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`

export const setupPage = (code: string): Markup =>
  page(
    'Set up Citewell',
    html`<h1>Set up Citewell</h1>
      <p>This makes the owner’s first access token. It is shown once, on the next page.</p>
      <form method="post" action="/setup">
        <input type="hidden" name="code" value="${code}" />
        <button>Make the access token</button>
      </form>`,
  )

export const tokenPage = (token: string, address: string): Markup =>
  page(
    'Your access token',
    html`<h1>Your access token</h1>
      <p>Keep it in a safe place now: it is not shown again.</p>
      <pre>${token}</pre>
      <p>Try it:</p>
      <pre>curl ${address}/api/v1/me -H "Authorization: Bearer ${token}"</pre>
      <p class="quiet">Every operation is described at <a href="/docs">${address}/docs</a>.</p>`,
  )

export const usedPage = (because: string): Markup =>
  page(
    'This link was used',
    html`<h1>This link does not work any more</h1>
      <p>${because}</p>
      <p class="quiet">
        On the machine that runs Citewell, <code>npx citewell token create NAME</code> makes an access token
        too.
      </p>`,
  )
