import { expect, test } from 'vitest'
import { readFragment } from './html.ts'
import { renderBlocks } from './render-markdown.ts'

const markdownOf = (html: string) => renderBlocks(readFragment(html, 'https://docs.test/'))

test.each([
  [
    'AsciiDoc',
    '<div class="admonitionblock"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content">There is <code>one</code>.</td></tr></table></div>',
  ],
  [
    'Asciidoctor with icons',
    '<div class="admonitionblock note"><table><tbody><tr><td class="icon"><i class="fa icon-note" title="Note"></i></td><td class="content"><div class="paragraph"><p>There is <code>one</code>.</p></div></td></tr></tbody></table></div>',
  ],
  [
    'DocBook',
    '<div class="note"><table border="0" summary="Note"><tr><td rowspan="2" align="center" valign="top" width="25"><img alt="[Note]" src="note.png"></td><th align="left">Note</th></tr><tr><td align="left" valign="top"><p>There is <code>one</code>.</p></td></tr></table></div>',
  ],
  [
    'DocBook with a picture without words',
    '<div class="note"><table><tr><td rowspan="2"><img src="note.png"></td><th>Note</th></tr><tr><td><p>There is <code>one</code>.</p></td></tr></table></div>',
  ],
  ['a hand', '<table><tr><td><b>Note:</b></td><td>There is <code>one</code>.</td></tr></table>'],
])('a note of %s is its name above its text', (_, html) => {
  expect(markdownOf(html)).toBe('**Note**\n\nThere is `one`.')
})

test('data about notes is a table', () => {
  const html =
    '<table><tr><td>Note</td><td>Red</td></tr><tr><td>Tip</td><td>Green</td></tr></table><table><tr><td>Port</td><td>80</td></tr></table>'
  expect(markdownOf(html)).toBe('|  |  |\n| --- | --- |\n| Note | Red |\n| Tip | Green |\n\n**Port** | 80')
})

test('a fence that names the class of its language has that language', () => {
  const html =
    '<pre><code class="language-language-bash">ls</code></pre><pre lang="x" data-lang="lang-sh">ls</pre>'
  expect(markdownOf(html)).toBe('```bash\nls\n```\n\n```sh\nls\n```')
})

test('a numbered list begins where the page says', () => {
  expect(markdownOf('<ol start="4"><li>Four.</li><li>Five.<ol start="2"><li>Two.</li></ol></li></ol>')).toBe(
    '4. Four.\n5. Five.\n   2. Two.',
  )
})
