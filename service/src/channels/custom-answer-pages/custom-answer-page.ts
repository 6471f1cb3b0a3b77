import type { Nodes } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { html, raw } from 'hono/html'
import { toHast } from 'mdast-util-to-hast'
import { parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

const isWeb = (href: unknown) => typeof href === 'string' && /^(?:https?|mailto):/i.test(href)

/** Removes images, and links to anything but web pages and mail addresses. */
function removeUnsafe(node: Nodes): void {
  if (!('children' in node)) return
  node.children = node.children.filter((child) => child.type !== 'element' || child.tagName !== 'img')
  if (node.type === 'element' && node.tagName === 'a' && !isWeb(node.properties['href']))
    delete node.properties['href']
  for (const child of node.children) removeUnsafe(child)
}

/** Renders Markdown as HTML; embedded HTML is dropped. */
function render(markdown: string): string {
  const tree = toHast(parseMarkdown(markdown))
  removeUnsafe(tree)
  return toHtml(tree)
}

export const customAnswerPage = ({ question, answer }: { question: string; answer: string }): Markup =>
  plainPage(
    question,
    html`<h1 dir="auto">${question}</h1>
      <div dir="auto">${raw(render(answer))}</div>`,
    '',
  )
