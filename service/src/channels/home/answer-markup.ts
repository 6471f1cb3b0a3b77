import { html, raw } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'

// bounded: at most 2,000 characters of an address
const LINK = /\[([^\][]*)\]\(<?https?:[^)\s]{0,2000}\)/g

/**
 * Joins the lines of a paragraph, and removes the addresses of links: the answer is not trusted with them, and the sources are listed
 * below.
 */
const words = (lines: readonly string[]) => lines.join('\n').trim().replaceAll(LINK, '$1')

/**
 * Renders an answer: its quotations, code and paragraphs, each as plain text. It contains untrusted text from crawled pages, so nothing in
 * it becomes markup.
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
    const content = line.replace(/^> ?/, '')
    if (/^(?:```|~~~)/.test(content)) {
      end()
      kind = kind === 'code' ? 'text' : 'code'
      continue
    }
    if (kind === 'code') {
      lines.push(content)
      continue
    }
    const next = line.startsWith('>') ? 'quote' : 'text'
    if (next !== kind || content.trim() === '') end()
    kind = next
    lines.push(content)
  }
  end()
  return html`${blocks.length === 0 ? raw('') : blocks}`
}
