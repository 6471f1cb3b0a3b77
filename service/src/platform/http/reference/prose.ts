import { html } from 'hono/html'

export type Markup = ReturnType<typeof html>

/** Text with `code` in backticks. */
export function inline(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** Paragraphs separated by blank lines. */
export const prose = (text: string | undefined): Markup[] =>
  (text ?? '')
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`)

/** A path that may wrap at its slashes, with its parameters marked. */
export const pathMarkup = (path: string): Markup[] =>
  path
    .split(/(?<=\/)|(?=\{)/)
    .map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}<wbr />`))
