import { html, raw } from 'hono/html'

/** Headers of pages without script: no third-party content, no framing, and no code of an address in a Referer to other sites. */
export const PLAIN_PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  // Nothing is sent to other sites; with `no-referrer` a browser would send `Origin: null` with the forms of these pages.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2128; --quiet: #59636e; --paper: #fff; --panel: #f4f6f8; --line: #d5dae0;
    --accent: #0b6e69; --warn: #8a4600; --fault: #a3151c; --done: #0b6b38; --field: #808a94; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6e9ed; --quiet: #9aa4af; --paper: #14181d; --panel: #1d2329; --line: #343c45; --accent: #5cc9c1; --warn: #f0b26b;
      --fault: #ff9a94; --done: #7fd6a0; --field: #6f7a86; }
  }
  * { box-sizing: border-box; } [hidden] { display: none !important; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
  main { max-width: 34rem; margin: 10vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; text-wrap: balance; }
  p { margin: 0 0 1rem; } .quiet { color: var(--quiet); } .warn { color: var(--warn); font-weight: 600; }
  pre { background: var(--panel); border-radius: 8px; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
    font: 0.9rem/1.5 ui-monospace, monospace; }
  dl { background: var(--panel); border-radius: 10px; padding: 0.9rem 1rem; margin: 0 0 1.25rem; display: grid;
    grid-template-columns: max-content 1fr; gap: 0.35rem 1rem; }
  dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
  section { border-top: 1px solid var(--line); margin: 1.75rem 0 0; padding: 1.4rem 0 0; } section > h2:first-child { margin-top: 0; }
  .fault, .done { border-inline-start: 4px solid currentColor; padding: 0.1rem 0; padding-inline-start: 0.8rem; font-weight: 600; }
  .fault { color: var(--fault); } .done { color: var(--done); }
  .hint { color: var(--quiet); font-size: 0.9rem; margin: -0.5rem 0 0.9rem; } .below { margin: 1.25rem 0 0; }
  p.hint.below { margin: 0.6rem 0 0; }
  .or { display: flex; align-items: center; gap: 0.8rem; color: var(--quiet); margin: 1.1rem 0; }
  .or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
  .row { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 0 0 0.75rem; }
  .row p, .row form { margin: 0; } .row button { width: auto; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  summary { cursor: pointer; color: var(--accent); margin: 0 0 0.9rem; min-height: 24px; } details { margin: 1.5rem 0 0; }
  form { margin: 0 0 0.75rem; } label { display: block; margin: 0 0 0.9rem; font-weight: 600; }
  input[type=email], input[type=password], input[type=text] { display: block; width: 100%; margin-top: 0.3rem; padding: 0.6rem 0.7rem;
    font: inherit; font-weight: 400; color: inherit; background: var(--paper); border: 1px solid var(--field); border-radius: 8px; }
  button { font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 1px solid var(--accent);
    border-radius: 8px; padding: 0.6rem 1.1rem; cursor: pointer; width: 100%; min-height: 44px; }
  a.button { display: block; text-align: center; text-decoration: none; font-weight: 600; color: var(--paper); background: var(--accent);
    border-radius: 8px; padding: 0.6rem 1.1rem; min-height: 44px; }
  button.second { color: var(--ink); background: transparent; border-color: var(--field); }
  fieldset { border: 1px solid var(--line); border-radius: 10px; margin: 0 0 1rem; padding: 0.6rem 1rem 0.3rem; min-width: 0; }
  legend { padding: 0 0.35rem; font-weight: 600; } h2 { font-size: 1.15rem; line-height: 1.3; margin: 1.75rem 0 0.6rem; }
  label.check { display: flex; gap: 0.6rem; align-items: start; min-height: 32px; margin: 0 0 0.35rem; font-weight: 400; }
  label.check input { width: 1.15rem; height: 1.15rem; margin: 0.2rem 0 0; flex: none; accent-color: var(--accent); }
  label.check.apart { border-top: 1px solid var(--line); padding-top: 0.6rem; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  a { color: var(--accent); } main { overflow-wrap: anywhere; }
  blockquote { margin: 0 0 1rem; padding: 0.1rem 0; padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--line); white-space: pre-line; }
  .answer p { white-space: pre-line; }
  h3 { font-size: 1rem; margin: 1.25rem 0 0.4rem; } li { margin: 0 0 0.3rem; }
  table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; }
`

export type Markup = ReturnType<typeof html>

/**
 * A page of the service, with its title and content.
 *
 * @param language of the content; empty for an owner's text, whose language is unknown. The page itself always declares one, which
 * screen readers need
 */
export const plainPage = (title: string, body: Markup, language = 'en'): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main lang="${language}">${body}</main>
      </body>
    </html>`
