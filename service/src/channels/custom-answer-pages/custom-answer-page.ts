import type { Nodes } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { html, raw } from 'hono/html'
import { toHast } from 'mdast-util-to-hast'
import { parseMarkdown } from '../../platform/markdown/markdown-tree.ts'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

const isWeb = (href: unknown) => typeof href === 'string' && /^(?:https?|mailto):/i.test(href)

/** Takes out what could do more than be read: pictures, and links to anything but pages and mail. */
function keepHarmless(node: Nodes): void {
  if (!('children' in node)) return
  node.children = node.children.filter((child) => child.type !== 'element' || child.tagName !== 'img')
  if (node.type === 'element' && node.tagName === 'a' && !isWeb(node.properties['href'])) {
    delete node.properties['href']
  }
  for (const child of node.children) keepHarmless(child)
}

/** HTML of Markdown; HTML within it is left out. */
function render(markdown: string): string {
  const tree = toHast(parseMarkdown(markdown))
  keepHarmless(tree)
  return toHtml(tree)
}

export const customAnswerPage = ({ question, answer }: { question: string; answer: string }): Markup =>
  plainPage(
    question,
    html`<h1>${question}</h1>
      ${raw(render(answer))}`,
    '',
  )
