import { expect, test } from 'vitest'
import { adf, adfParagraph } from '../../../test/connectors/jira-stand-in.ts'
import { adfToHtml } from './adf-html.ts'

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks })

test.each([
  [
    {
      type: 'paragraph',
      content: [
        text('a '),
        text('b', { type: 'strong' }),
        text('c()', { type: 'code' }, { type: 'link', attrs: { href: 'https://example.com/' } }),
      ],
    },
    '<p>a <strong>b</strong><a href="https://example.com/"><code>c()</code></a></p>',
  ],
  [
    {
      type: 'paragraph',
      content: [text('x', { type: 'link', attrs: { href: 'javascript:alert(1)' } }), text('<b>')],
    },
    '<p>x&lt;b&gt;</p>',
  ],
  [{ type: 'heading', attrs: { level: 3 }, content: [text('Steps')] }, '<h3>Steps</h3>'],
  [
    { type: 'codeBlock', attrs: { language: 'bash' }, content: [text('a < b\n')] },
    '<pre>\n<code class="language-bash">a &lt; b\n</code></pre>',
  ],
  [
    {
      type: 'orderedList',
      attrs: { order: 3 },
      content: [{ type: 'listItem', content: [adfParagraph('Third')] }],
    },
    '<ol start="3"><li><p>Third</p></li></ol>',
  ],
  [
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [{ type: 'tableHeader', attrs: { colspan: 2 }, content: [adfParagraph('Plan')] }],
        },
      ],
    },
    '<table><tr><th colspan="2"><p>Plan</p></th></tr></table>',
  ],
  [
    {
      type: 'expand',
      attrs: { title: 'More' },
      content: [{ type: 'panel', attrs: { panelType: 'info' }, content: [adfParagraph('In')] }],
    },
    '<p><strong>More</strong></p><blockquote><p>In</p></blockquote>',
  ],
  [
    { type: 'taskList', content: [{ type: 'taskItem', attrs: { state: 'DONE' }, content: [text('Pack')] }] },
    '<ul><li>☑ Pack</li></ul>',
  ],
  [
    {
      type: 'paragraph',
      content: [
        { type: 'mention', attrs: { text: '@Ada' } },
        { type: 'hardBreak' },
        { type: 'date', attrs: { timestamp: '1795305600000' } },
        { type: 'status', attrs: { text: 'DONE' } },
        { type: 'emoji', attrs: { shortName: ':tada:' } },
      ],
    },
    '<p>@someone<br>2026-11-22DONE:tada:</p>',
  ],
  [
    { type: 'hologram', attrs: 7, content: [adfParagraph('Kept'), null, 'x', { type: 'text' }] },
    '<p>Kept</p>',
  ],
])('a node of Atlassian’s format %#', (node, expected) => {
  expect(adfToHtml(adf(node))).toBe(expected)
})

test.each(['constructor', '__proto__', 'valueOf'])(
  'a node or a mark called %s is one that is not known',
  (type) => {
    const node = { type, content: [text('Kept', { type })] }
    expect(adfToHtml(adf(node))).toBe('Kept')
  },
)

test('attributes that are no numbers, and marks within marks, do not end the reading', () => {
  const attrs = { level: { toString: 1, valueOf: 1 }, order: [[1]], timestamp: { valueOf: 1 } }
  expect(
    adfToHtml(
      adf(
        { type: 'heading', attrs, content: [text('a')] },
        { type: 'date', attrs },
        { type: 'orderedList', attrs },
      ),
    ),
  ).toBe('<h2>a</h2><ol></ol>')
  let deep: object = { type: 'strong' }
  for (let at = 0; at < 50_000; at += 1) deep = { type: 'strong', marks: [deep] }
  expect(adfToHtml(adf(text('b', deep)))).toBe('<strong>b</strong>')
})

test('a document that is nested too deep ends there', () => {
  let deep: unknown = text('bottom')
  for (let at = 0; at < 5_000; at += 1) deep = { type: 'blockquote', content: [deep] }
  expect(adfToHtml(adf(text('top'), deep))).toMatch(/^top<blockquote>/)
})
