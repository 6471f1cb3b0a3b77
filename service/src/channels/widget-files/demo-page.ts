import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import { demoArticle } from './demo-article.ts'
import { scriptTag, scriptTagText, type TagAttributes } from './script-tag.ts'

const MODES = [
  ['modal', 'Modal'],
  ['sidebar', 'Sidebar'],
  ['bubble', 'Bubble'],
  ['embedded', 'In the page'],
  ['none', 'Buttons only'],
] as const

const THEMES = [
  ['auto', 'Match the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** Each by its own name. */
const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
  ['es', 'Español'],
  ['pt', 'Português'],
  ['it', 'Italiano'],
  ['nl', 'Nederlands'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh', '中文'],
  ['ar', 'العربية'],
  ['he', 'עברית'],
] as const

export interface DemoParts {
  attributes: TagAttributes
  /** Undefined when the base was named in the address: its name is not told here. */
  baseName: string | undefined
  /** Whether the base holds the documentation that this page is of. */
  isSample: boolean
  publicUrl: string
}

type Choice = readonly (readonly [value: string, label: string])[]

export const demoPage = ({ attributes, baseName, isSample, publicUrl }: DemoParts): Markup => {
  const mode = attributes.mode ?? 'modal'
  const theme = attributes.theme ?? 'auto'
  const language = attributes.language ?? 'en'
  const hrefWith = (name: 'mode' | 'theme' | 'language', value: string) =>
    `/widget/demo?${new URLSearchParams({ ...attributes, [name]: value }).toString()}`
  const choices = (label: string, name: 'mode' | 'theme' | 'language', current: string, of: Choice) =>
    html`<div role="group" aria-label="${label}">
      <span class="label" aria-hidden="true">${label}</span>
      ${of.map(
        ([value, shown]) =>
          html`<a
            href="${hrefWith(name, value)}"
            ${name === 'language' ? html`lang="${value}"` : ''}
            ${value === current ? html`aria-current="true"` : ''}
            >${shown}</a
          >`,
      )}
    </div>`
  const isChanged = attributes.theme !== undefined || attributes.language !== undefined
  const fixed = theme === 'light' || theme === 'dark' ? html`data-theme="${theme}"` : ''
  return html`<!doctype html>
    <html lang="en" ${fixed}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Keep answers fresh · Citewell</title>
        <link rel="stylesheet" href="/widget/demo.css" />
        ${scriptTag(attributes)}
        <script type="module" src="/widget/form.js"></script>
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/"><span aria-hidden="true">”</span>Citewell</a>
          <nav aria-label="Sections">
            <a href="/widget/demo" aria-current="page">Guide</a>
            <a href="/docs">API reference</a>
          </nav>
          <button class="find" type="button" data-citewell-open="search">Search <kbd>/</kbd></button>
        </header>
        <section class="tries" aria-label="Try the widget">
          <p>
            ${
              baseName === undefined
                ? html`This page shows the website widget as readers of your documentation meet it.`
                : html`This page shows the website widget. It answers from <strong>${baseName}</strong>${
                      isSample ? '.' : ', whatever this page says.'
                    }`
            }
          </p>
          ${choices('Shown as', 'mode', mode, MODES)}
          <details ${isChanged ? html`open` : ''}>
            <summary>Colours and language</summary>
            ${choices('Colours', 'theme', theme, THEMES)}
            ${choices('Language', 'language', language, LANGUAGES)}
          </details>
        </section>
        ${demoArticle({
          isEmbedded: mode === 'embedded',
          tag: scriptTagText(publicUrl, attributes),
          origin: publicUrl,
          attributes,
        })}
      </body>
    </html>`
}

/** For an address without a base, where no base may be told. */
export const noDemoPage = (): Markup =>
  html`<h1>Demo of the widget</h1>
    <p>
      Name the knowledge base in the address: <code>/widget/demo?knowledge_base_id=…</code>. On the machine
      that Citewell runs on, the demo takes the first one that anyone may ask.
    </p>`
