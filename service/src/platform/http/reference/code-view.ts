import { html } from 'hono/html'
import type { Markup } from './prose.ts'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[^"]+/g

/** JSON text with property names and values marked up differently. */
function jsonMarkup(json: string): Markup[] {
  return [...json.matchAll(TOKEN)].map(([whole, text, colon]) => {
    if (text === undefined) return html`${whole}`
    return colon === undefined
      ? html`<span class="value">${text}</span>`
      : html`<span class="name">${text}</span>${colon}`
  })
}

const block = (label: string, markup: Markup | Markup[] | string, isForShell: boolean): Markup =>
  html`<figure class="code">
    <figcaption>
      <span>${label}</span>${isForShell ? html`<button type="button" class="copy" hidden>Copy</button>` : ''}
    </figcaption>
    <pre tabindex="0"><code>${markup}</code></pre>
  </figure>`

export const shellView = (label: string, source: string): Markup => block(label, source, true)

export const jsonView = (label: string, value: unknown): Markup =>
  block(label, jsonMarkup(JSON.stringify(value, null, 2)), false)

/** Frames as sent over the wire, one `data:` line each. */
export const framesView = (label: string, frames: readonly unknown[]): Markup =>
  block(
    label,
    frames.map(
      (frame) => html`<span class="quiet">data: </span>${jsonMarkup(JSON.stringify(frame))}${'\n\n'}`,
    ),
    false,
  )
