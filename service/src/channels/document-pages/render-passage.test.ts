import fc from 'fast-check'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { expect, test } from 'vitest'
import { renderPassage } from './render-passage.ts'
import { processorTime } from '../../../test/time-limit.ts'

const render = (markdown: string, from?: string, to?: string) =>
  renderPassage(markdown, {
    headingLevel: 3,
    isTitled: false,
    cited: from === undefined ? undefined : { from, to },
    place: 'keys',
  })

test.each([
  ['a script', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['an address that runs', '[click](javascript:alert(1)) me', '<p>click me</p>'],
  ['data', '[click](data:text/html,x)', '<p>click</p>'],
  ['a path', '[next](other.md)', '<p>next</p>'],
  [
    'a quote in an address',
    '[a](https://x.test/"onclick="y)',
    '<p><a href="https://x.test/%22onclick=%22y" rel',
  ],
  [
    'a picture',
    '![a key](https://x.test/k.png)',
    '<p><a href="https://x.test/k.png" rel="nofollow noopener noreferrer ugc">a key</a></p>',
  ],
  [
    'a picture in a link',
    '[![a key](https://x.test/k.png)](https://x.test/)',
    '<p><a href="https://x.test/" rel="nofollow noopener noreferrer ugc">a key</a></p>',
  ],
  ['a break in a cell', '| a |\n| --- |\n| x<br>y |', '<td>x<br>y</td>'],
  ['a heading', '# Title', '<h3>Title</h3>'],
  ['the language of code', '```js onload=x\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
])('%s is rendered as inert text', (_, markdown, expected) => {
  expect(render(markdown).text).toContain(expected)
})

test('the cited words are marked, across emphasis and code', () => {
  const { text, isFound } = render(
    'First. Keys **rotate** `daily` at noon. Last.',
    'Keys rotate daily at noon.',
  )
  expect(isFound).toBe(true)
  expect(text).toBe(
    '<p>First. <mark id="keys">Keys </mark><strong><mark>rotate</mark></strong><mark> </mark><code><mark>daily</mark></code><mark> at noon.</mark> Last.</p>\n'.replace(
      '<mark> </mark>',
      ' ',
    ),
  )
  const ends = render(
    '| key | days |\n| --- | --- |\n| signing keys | ninety days |',
    'signing keys',
    'ninety days',
  )
  expect(ends.text).toContain(
    '<td><mark id="keys">signing keys</mark></td>\n<td><mark>ninety days</mark></td>',
  )
})

test('if the words are not found, all text is marked', () => {
  const { text, isFound } = render('Keys rotate. Often.', 'Whales sing at night')
  expect([text, isFound]).toEqual(['<p><mark id="keys">Keys rotate. Often.</mark></p>\n', false])
})

/** The elements that a browser creates from it. */
function elementsOf(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : []
  return 'tagName' in node ? [node, ...children] : children
}

/** Elements and attributes that are allowed in a rendered passage. */
const HARMLESS = new Set(
  'a blockquote br code div em h3 hr li mark ol p pre s strong table tbody td th thead tr ul'.split(' '),
)

const ATTRIBUTES = new Set(['href', 'rel', 'id', 'start', 'class', 'tabindex', 'role', 'aria-label'])

test('no input results in anything but text', () => {
  const signs = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '`',
    '```\n',
    '*',
    '_',
    '[',
    ']',
    '](',
    ')',
    '!',
    '#',
    '|',
    '\n',
    '\n\n',
    ' ',
    '\\',
    '- ',
    '1. ',
    '> ',
    'javascript:',
    'https://x.test/',
    'data:text/html,',
    '<img src=x onerror=alert(1)>',
    '<br>',
    '&#106;',
    'onclick=',
    '\u2028',
    '\0',
    '<!--',
    ']]>',
    'a',
    '~~',
    '| --- |\n',
    '[a]: javascript:x\n',
  )
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const page = parseFragment(render(parts.join(''), 'javascript', 'onerror').text)
      for (const { tagName, attrs } of elementsOf(page)) {
        expect(HARMLESS).toContain(tagName)
        expect(attrs.filter(({ name }) => !ATTRIBUTES.has(name))).toEqual([])
        const href = attrs.find(({ name }) => name === 'href')?.value ?? 'https://'
        expect(href).toMatch(/^(?:https?:\/\/|mailto:)/i)
      }
    }),
    { numRuns: 300 },
  )
}, 60_000)

const SHAPES = [
  '**x**y',
  '_x_ ',
  '[',
  '![](',
  '> ',
  '<a ',
  '`a``b```',
  '~~a~',
  '- ',
  '|a',
  '&amp;',
  'a\n',
  '1. ',
  '<!--',
  ' - a\n',
  '# a\n',
  'a_b',
  '| a | b |\n| --- | --- |\n',
  '[a]: b\n',
  '*a **a ',
  '\t',
  '&#',
  '[a](<b',
  '***a_',
  '![a',
  '<br>',
  '\\',
  '```\n',
  '> - ',
  '+ a\n  ',
]

test('no passage takes long to render, whatever it repeats', async () => {
  const slow: string[] = []
  for (const shape of SHAPES) {
    for (const length of [2_000, 8_000, 1_000_000]) {
      let size = 0
      const ms = await processorTime(() => {
        size = render(shape.repeat(length / shape.length), 'a b c d e f g h i').text.length
      })
      // A passage longer than the limit is truncated and shown as plain text.
      if (ms > 1_000 || size > 400_000) slow.push(`${JSON.stringify(shape)} × ${length}: ${ms} ms, ${size}`)
    }
  }
  expect(slow).toEqual([])
}, 120_000)
