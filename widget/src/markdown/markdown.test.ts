import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlocks, type Block } from './blocks.ts'
import { createRenderer, headingLevels, type MakeElement } from './render-blocks.ts'
import { createStreamedBlocks } from './streamed-blocks.ts'

interface Element {
  tag: string
  properties: Record<string, unknown> | null
  children: (Element | string)[]
}

const h: MakeElement<Element> = (tag, properties, ...children) => ({ tag, properties, children })

/** The elements of blocks, where citations 1 to 3 exist. */
function treeOf(blocks: readonly Block[]): (Element | string)[] {
  const levels = headingLevels(blocks, 3)
  return blocks.flatMap((block, at) =>
    createRenderer<Element>({
      h,
      citation: (index) => (index <= 3 ? h('cite', { index }) : undefined),
      code: (text, lang) => h('pre', { lang }, text),
      link: (href) => ({ href }),
      isImageShown: (address) => address.startsWith('https://docs.example.com/'),
      headingLevel: levels[at] ?? 3,
    })(block),
  )
}

/** What keeps a citation in its line. */
const CITED = { class: 'cited' }

const render = (text: string) => treeOf(parseBlocks(text))

function* elementsOf(nodes: (Element | string)[]): Generator<Element> {
  for (const node of nodes)
    if (typeof node !== 'string') {
      yield node
      yield* elementsOf(node.children)
    }
}

const wordsOf = (nodes: (Element | string)[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : wordsOf(node.children))).join('')

/** What may be made of a text, whatever it is. */
const TAGS =
  /^(a|blockquote|br|cite|code|del|div|em|h[3-6]|hr|img|li|ol|p|pre|span|strong|table|tbody|td|th|thead|tr|ul)$/
const PROPERTIES =
  /^(href|src|alt|loading|decoding|referrerpolicy|class|dir|start|scope|role|tabIndex|aria-label|index|lang)$/

const VALUES: Record<string, RegExp> = {
  href: /^(https?:\/\/|mailto:|#|\/(?![/\\]))/,
  src: /^https:\/\/docs\.example\.com\//,
}

function expectHarmless(nodes: (Element | string)[]) {
  for (const { tag, properties } of elementsOf(nodes)) {
    expect(tag).toMatch(TAGS)
    for (const [name, value] of Object.entries(properties ?? {})) {
      expect(name).toMatch(PROPERTIES)
      expect(String(value)).toMatch(VALUES[name] ?? /^/)
    }
  }
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](\tjavascript:alert(1))',
  '[x](data:text/html,<b>)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](vbscript:a)',
  '![x](https://evil.example/p.png)',
  '![x](https://docs.example.com/p.png)',
  '<https://user:pass@evil.example>',
  '[1]: https://evil.example\n\n',
  '[1]',
  '[2](https://evil.example)',
  '[9]',
  '\u202Egnp.exe\u2066',
  '```js\n',
  '```',
  '~~~',
  '> ',
  '- ',
  '1. ',
  '  ',
  '\n',
  '\n\n',
  '# ',
  '###### ',
  '| a | b |\n| - | - |\n',
  '| c | d |\n',
  '**',
  '*',
  '_a',
  '`',
  '[',
  ']',
  '](',
  '&lt;b&gt;',
  '\\',
  '<!--',
  '-->',
  '<br>',
  'www.example.com',
  'word',
  'ein Wort ',
  'نص',
  '- [x] done\n',
  '<details><summary>',
  '---\n',
  '===\n',
]

const answers = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 8 })), {
  maxLength: 30,
})

test('2,000 hostile answers become harmless elements only, the same in one piece as in many, in bounded time', () => {
  let longest = 0
  fc.assert(
    fc.property(answers, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (pieces, lengths) => {
      const text = pieces.join('')
      const started = performance.now()
      const whole = treeOf(parseBlocks(text))
      longest = Math.max(longest, performance.now() - started)
      expectHarmless(whole)
      const stream = createStreamedBlocks()
      for (let at = 0; at < text.length; at += lengths.next().value ?? 1)
        expectHarmless(treeOf(stream.read(text.slice(0, at))))
      expect(treeOf(stream.finish(text))).toEqual(whole)
    }),
    { numRuns: 2_000, seed: 7 },
  )
  expect(longest).toBeLessThan(200)
}, 240_000)

const REPEATED = {
  'nested quotes': '>'.repeat(20_000),
  'nested quotes with spaces': '> '.repeat(2_000),
  'nested lists in a line': '- '.repeat(5_000),
  'nested lists in lines': Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
  'nested lists in separate parts': Array.from({ length: 500 }, (_, at) => `${'  '.repeat(at)}- a`).join(
    '\n\n',
  ),
  'nested lists with tabs': Array.from({ length: 500 }, (_, at) => `${'\t'.repeat(at)}- a`).join('\n'),
  emphasis: '_a'.repeat(10_000),
  'emphasis in lines': '_a'.repeat(200).concat('\n').repeat(50),
  stars: '*a **a '.repeat(5_000),
  brackets: '['.repeat(100_000),
  'closed brackets': '[a'.repeat(300).concat(']'.repeat(300), '\n').repeat(50),
  'links in links': '[a](b '.repeat(5_000),
  images: '!['.repeat(10_000),
  backticks: '`a``b'.repeat(5_000),
  entities: '&#'.repeat(20_000),
  'angle brackets': '<a '.repeat(20_000),
  comments: '<!--'.repeat(10_000),
  'a wide table': `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n`,
  'a long table of wide rows': `${'|a'.repeat(390)}|\n${'|-'.repeat(390)}|\n${'b\n'.repeat(5_000)}`,
  addresses: 'http://a.b/'.repeat(5_000),
  'mail addresses': 'a@'.repeat(20_000),
  'white space': `a${' '.repeat(100_000)}b`,
  'line ends': '\n'.repeat(100_000),
  'one word': 'a'.repeat(200_000),
  references: Array.from({ length: 3_000 }, (_, at) => `[r${at}]: https://e.example/${at}`).join('\n'),
  'definitions and uses': `${'[a][b]\n'.repeat(500)}\n[b]: /c`,
  fences: '```\n'.repeat(20_000),
  'tildes and backticks': '~~~\n```\n'.repeat(10_000),
}

test.each(Object.entries(REPEATED))(
  '%s are read in bounded time, and lose no text that is read',
  (_name, text) => {
    const started = performance.now()
    const tree = render(text)
    const took = performance.now() - started
    expectHarmless(tree)
    expect(took).toBeLessThan(1_000)
  },
)

test('an answer of 43,000 characters in 10,800 pieces costs far less than reading it anew each time', () => {
  const paragraph =
    'Keys are **rotated** every day [1], see `acme keys rotate` and [the guide](https://docs.example.com/a).\n\n'
  const text = paragraph.repeat(410)
  const stream = createStreamedBlocks()
  let worst = 0
  const started = performance.now()
  for (let at = 4; at <= text.length; at += 4) {
    const flush = performance.now()
    stream.read(text.slice(0, at))
    worst = Math.max(worst, performance.now() - flush)
  }
  // 23 ms in all where it was designed; a busy machine and a cold start are granted much more.
  expect(performance.now() - started).toBeLessThan(8_000)
  expect(worst).toBeLessThan(500)
})

test('finished blocks stay the same objects, also when the last frame replaces the text', () => {
  const stream = createStreamedBlocks()
  const [first] = stream.read('One [2].\n\nTwo')
  expect(stream.read('One [2].\n\nTwo and more')[0]).toBe(first)
  const final = stream.finish('One [2].\n\nTwo and more [1]')
  expect(final[0]).not.toBe(undefined)
  expect(JSON.stringify(final)).toBe(JSON.stringify(parseBlocks('One [2].\n\nTwo and more [1]')))
})

test.each([
  ['See **bold', 'See bold'],
  ['See **bold*', 'See bold*'],
  ['See **', 'See'],
  ['Run `npm i', 'Run npm i'],
  ['See [the guide](https://docs.exa', 'See the guide'],
  ['Every day [1', 'Every day '],
  ['Every day [', 'Every day '],
  ['Every day [1]', 'Every day '],
  ['At https://docs.exa', 'At '],
  ['See\n\n| Field | Mea', 'See'],
  ['See\n\n| Field | Meaning |\n| - | ', 'See'],
  ['See\n\n| a | b |\n| - | - |\n', 'Seeab'],
  ['See\n\n| a | b |\n| - | - |\n| c', 'Seeabc'],
])('while %j is written, the reader sees %j', (text, seen) => {
  expect(wordsOf(treeOf(createStreamedBlocks().read(text))).trimEnd()).toBe(seen.trimEnd())
})

test('a block of code is one from its first line on, and a closed one stays as it is', () => {
  expect(treeOf(createStreamedBlocks().read('Run:\n\n```sh\nnpm start'))).toEqual([
    { tag: 'p', properties: null, children: ['Run:'] },
    { tag: 'pre', properties: { lang: 'sh' }, children: ['npm start'] },
  ])
  expect(render('```sh\nnpm start\n```\nThen ask.')).toEqual([
    { tag: 'pre', properties: { lang: 'sh' }, children: ['npm start'] },
    { tag: 'p', properties: null, children: ['Then ask.'] },
  ])
})

test('a number is a citation if the answer has one with it, whatever the text defines', () => {
  expect(render('[1]: https://evil.example\n\nDaily [1] [7].')).toEqual([
    {
      tag: 'p',
      properties: null,
      children: ['Dail', h('span', CITED, 'y ', h('cite', { index: 1 })), ' ', '[7]', '.'],
    },
  ])
  // A number without a citation does not become a link either.
  expect(JSON.stringify(render('[7]: https://evil.example\n\nDaily [7].'))).not.toContain('evil')
  expect(render('Daily [2](https://evil.example).')).toEqual([
    { tag: 'p', properties: null, children: ['Daily ', h('cite', { index: 2 }), '.'] },
  ])
})

test('a citation stays in the line of the word before it and of the full stop behind it', () => {
  const held = (...children: (Element | string)[]) => h('span', CITED, ...children)
  const cite = (index: number) => h('cite', { index })
  const paragraph = (...children: (Element | string)[]) => [h('p', null, ...children)]
  expect(render('Daily [1]. Old')).toEqual(paragraph('Dail', held('y ', cite(1), '.'), ' Old'))
  expect(render('毎日[1]。手動')).toEqual(paragraph('毎', held('日', cite(1), '。'), '手動'))
  expect(render('Daily [1] [2] or')).toEqual(
    paragraph('Dail', held('y ', cite(1)), ' ', held(cite(2)), ' or'),
  )
})

test('HTML is text; only a line break is one', () => {
  expect(wordsOf(render('a <b>bold</b> <img src=x onerror=alert(1)>'))).toBe(
    'a <b>bold</b> <img src=x onerror=alert(1)>',
  )
  expect([...elementsOf(render('a<br>b'))].map(({ tag }) => tag)).toEqual(['p', 'br'])
})

test('an image of a foreign host is a link, one of the documentation is shown', () => {
  expect(render('![a](https://evil.example/a.png)')[0]).toMatchObject({
    children: [{ tag: 'a', properties: { href: 'https://evil.example/a.png' }, children: ['a'] }],
  })
  expect(render('![a](https://docs.example.com/a.png)')[0]).toMatchObject({
    children: [{ tag: 'img', properties: { src: 'https://docs.example.com/a.png', alt: 'a' } }],
  })
})

test('headings have no gaps, and tables are named by their head', () => {
  const tags = [...elementsOf(render('# A\n\n#### B\n\n## C\n\n| k | v |\n| - | - |\n| 1 | 2 |'))]
  expect(tags.filter(({ tag }) => /^h\d/.test(tag)).map(({ tag }) => tag)).toEqual(['h3', 'h4', 'h4'])
  expect(tags.find(({ tag }) => tag === 'div')?.properties).toMatchObject({ 'aria-label': 'k, v' })
})
