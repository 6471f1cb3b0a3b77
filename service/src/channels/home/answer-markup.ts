import { html, raw } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'

// bounded: at most 2,000 characters of an address
const LINK = /\[([^\][]*)\]\(<?https?:[^)\s]{0,2000}\)/g

/** A paragraph's lines, with the address of each link left out: where they lead is not ours to say, the sources are below. */
const words = (lines: readonly string[]) => lines.join('\n').trim().replaceAll(LINK, '$1')

/**
 * An answer as it is read: its quotations, code and paragraphs, each as plain text. It holds words of pages that anybody wrote, so
 * nothing in it becomes markup.
 */
export function answerMarkup(answer: string): Markup {
  const blocks: Markup[] = []
  let kind: 'text' | 'quote' | 'code' = 'text'
  let lines: string[] = []
  const end = () => {
    const text = kind === 'code' ? lines.join('\n') : words(lines)
    lines = []
    if (text === '') return
    if (kind === 'code') blocks.push(html`<pre>${text}</pre>`)
    else if (kind === 'quote') blocks.push(html`<blockquote>${text}</blockquote>`)
    else blocks.push(html`<p>${text}</p>`)
  }
  for (const line of answer.split('\n')) {
    const said = line.replace(/^> ?/, '')
    if (/^(?:```|~~~)/.test(said)) {
      end()
      kind = kind === 'code' ? 'text' : 'code'
      continue
    }
    if (kind === 'code') {
      lines.push(said)
      continue
    }
    const next = line.startsWith('>') ? 'quote' : 'text'
    if (next !== kind || said.trim() === '') end()
    kind = next
    lines.push(said)
  }
  end()
  return html`${blocks.length === 0 ? raw('') : blocks}`
}
