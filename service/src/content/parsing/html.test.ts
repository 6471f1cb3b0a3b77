import { expect, test } from 'vitest'
import { parseHtml } from './html.ts'
import { plainTextOf } from '../../platform/markdown/plain-blocks.ts'
import { renderBlocks } from './render-markdown.ts'

const URL_OF_PAGE = 'https://docs.example.com/guide/install.html'

function read(html: string, contentSelector?: string) {
  return parseHtml({
    mediaType: 'text/html',
    bytes: new TextEncoder().encode(html),
    url: URL_OF_PAGE,
    contentSelector,
  })
}

const blocksOf = (html: string) => read(html).document.blocks
const markdownOf = (html: string) => renderBlocks(blocksOf(html))
/** Long enough for the page to count as text rather than a list of links. */
const PROSE = '<p>Prose that makes this page long enough to be more than a list of links.</p>'.repeat(5)

test.each([
  [
    'Sphinx',
    '<div class="sphinxsidebar">NAV</div><div class="body" role="main">TEXT</div><div class="footer">NAV</div>',
  ],
  [
    'Docusaurus',
    '<main><nav class="theme-doc-breadcrumbs">NAV</nav><article><div class="theme-doc-markdown">TEXT</div><a class="theme-edit-this-page">NAV</a></article><div class="theme-doc-toc-mobile">NAV</div></main>',
  ],
  [
    'VitePress',
    '<header>NAV</header><main class="main"><div class="vp-doc">TEXT</div></main><footer class="VPDocFooter">NAV</footer>',
  ],
  [
    'Material for MkDocs',
    '<main><div class="md-sidebar">NAV</div><div class="md-content"><article class="md-content__inner">TEXT</article></div></main>',
  ],
  ['AsciiDoc', '<div id="header">NAV</div><div id="content">TEXT</div><div id="footer">NAV</div>'],
  [
    'an unmarked body',
    '<div class="menu">NAV</div><div class="sidebar">NAV</div>TEXT<div id="footer">NAV</div><script>NAV</script>',
  ],
])('the text of a page by %s is found, without its surroundings', (_, html) => {
  const markdown = markdownOf(
    `<body>${html.replace('TEXT', `<h1>Install</h1><p>Unpack it.</p>${PROSE}`)}</body>`,
  )
  expect(markdown).toContain('Unpack it.')
  expect(markdown).not.toContain('NAV')
})

const inLanguages = (...codes: string[]) =>
  codes
    .map((code) => `<a href="../${code}/install.html" hreflang="${code}" rel="alternate">${code}</a>`)
    .join(' | ')

test.each([
  `<div class="toplang"><p><span>Available Languages: </span><a href="install.html">en</a> | ${inLanguages('fr', 'ja')}</p></div>`,
  `<ul><li><a href="install.html">en</a></li><li>${inLanguages('fr')}</li></ul>`,
  `<p>${inLanguages('de', 'zh-CN')}</p>`,
])('a choice of languages is no text of a page: %s', (choice) => {
  const markdown = markdownOf(`<main><h1>Install</h1>${choice}<p>Unpack it.</p>${PROSE}${choice}</main>`)
  expect(markdown).toMatch(/^Unpack it\.\n\nProse/)
  expect(markdown).not.toMatch(/\b(?:en|fr|ja|de|zh-CN|Languages)\b/)
})

test('a sentence that links to the page in another language is text, and a page of such links alone is kept', () => {
  const said = `The German page has the newest prices, and the table of all countries: ${inLanguages('de')}`
  expect(markdownOf(`<main><p>${said}</p>${PROSE}</main>`)).toContain('[de](')
  const few = `<a href="a.html">one</a> <a href="b.html">two</a> ${inLanguages('de')}`
  expect(markdownOf(`<main><p>${few}</p>${PROSE}</main>`)).toContain('[two](')
  expect(markdownOf(`<main><p>Choose: ${inLanguages('de', 'fr')}</p></main>`)).toContain('[fr](')
})

test('a content selector takes all matches, and fails with a readable message if there are none', () => {
  const html = '<div class="a b">one<div class="b">inner</div></div><div>no</div><p class="b">two</p>'
  expect(renderBlocks(read(html, '.b').document.blocks)).toBe('one\n\ninner\n\ntwo')
  expect(() => read(html, '.missing')).toThrow('Nothing on the page matches the content selector ".missing".')
  expect(() => read(html, 'p[')).toThrow('"p[" is not a CSS selector.')
})

test('what is marked as not for answers is left out, wherever it is', () => {
  const secret = '<p>SECRET</p>'
  const ignored = (mark: string, tag = 'div') => `<${tag} ${mark}>${secret}<h2>SECRET</h2></${tag}>`
  const marks = ['data-citewell="ignore"', 'DATA-CITEWELL=Ignore', 'class="x" data-citewell=" ignore "']
  for (const mark of marks) {
    const page = `<title>Page</title><main><h1>Page</h1>${PROSE}${ignored(mark)}<ul><li>kept<span ${mark}>SECRET</span></ul></main>`
    expect(markdownOf(page)).toMatch(/kept/)
    expect(JSON.stringify(read(page).document)).not.toContain('SECRET')
  }
  // The content of the page is in it, is it, or is chosen by a selector.
  expect(
    read(`<div data-citewell="ignore"><main>${secret}</main></div><p>Kept.</p>`).document.blocks,
  ).toEqual([{ kind: 'paragraph', markdown: 'Kept.' }])
  expect(
    renderBlocks(read(`<div class="a">Kept.${ignored(marks[0] ?? '')}</div>`, '.a').document.blocks),
  ).toBe('Kept.')
  // Mostly links: then the article is looked for in the HTML itself.
  const links = '<a href="/a">A link to another page of this site</a> '.repeat(100)
  const mostlyLinks = `<body><div>${links}</div><div id="x">${'<p>A long paragraph of an article that is found by its density of text.</p>'.repeat(20)}${ignored(marks[0] ?? '')}</div></body>`
  expect(JSON.stringify(read(mostlyLinks).document)).not.toContain('SECRET')
  for (const tag of ['html', 'body']) {
    const { document, page } = read(
      `<${tag} data-citewell="ignore"><title>x</title>${secret}<a href="/a">a</a>`,
    )
    expect({ blocks: document.blocks, noindex: page?.noindex, links: page?.links }).toEqual({
      blocks: [],
      noindex: true,
      links: ['https://docs.example.com/a'],
    })
  }
  // Other values say nothing.
  expect(markdownOf('<p data-citewell="open">kept</p><p data-citewell-open="ignore">this too</p>')).toBe(
    'kept\n\nthis too',
  )
})

test('permalinks, copy buttons, line numbers and hidden elements are dropped', () => {
  const html = `<main><h2 id="a">Set up<a class="headerlink" href="#a">¶</a></h2><p>Text.<span hidden>no</span></p>
    <div class="search-form"><input value="no"></div><div style="display:none">no</div>
    <div class="highlight"><table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td>
    <td class="code"><pre><span></span>a = 1\n  b = 2\n</pre><button>no</button></td></tr></table></div></main>`
  expect(markdownOf(html)).toBe('## Set up\n\nText.\n\n```\na = 1\n  b = 2\n```')
})

test('a heading has the anchor that a browser would jump to', () => {
  const html = `<main><h1>T</h1><h2 id="own">A</h2><section id="around"><h2>B</h2><p>x</p></section>
    <a name="before"></a><h2>C</h2><p>x</p><h2><a id="inside"></a>D</h2>
    <h2><a class="anchor" id="user-content-e" href="#e"></a>E</h2><section id="far"><p>x</p><h2>F</h2></section>
    <h2><a href="#datetime.date"><code>date</code></a> objects<a class="headerlink" href="#date-objects">¶</a></h2>
    <h2><a href="#whole">Whole</a></h2></main>`
  const anchors = blocksOf(html).flatMap((block) =>
    block.kind === 'heading' ? [[block.text, block.anchor]] : [],
  )
  expect(anchors).toEqual([
    ['A', 'own'],
    ['B', 'around'],
    ['C', 'before'],
    ['D', 'inside'],
    ['E', 'e'],
    ['F', undefined],
    // Not the link target of the name in it.
    ['`date` objects', 'date-objects'],
    ['Whole', 'whole'],
  ])
})

test("text below a page's title opens at the title's anchor, although the title is not a block", () => {
  const html = '<title>Keys</title><main><section id="keys"><h1>Keys</h1><p>Keys sign.</p></section></main>'
  expect(blocksOf(html)).toEqual([
    { kind: 'anchor', anchor: 'keys' },
    { kind: 'paragraph', markdown: 'Keys sign.' },
  ])
})

test('all panels of a set of tabs are kept, each under its label', () => {
  const tabs = [
    '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><p>npm i</p></div><div role="tabpanel" hidden><p>yarn add</p></div></div></div>',
    '<div class="tabbed-set"><input><input><div class="tabbed-labels"><label>npm</label><label>Yarn</label></div><div class="tabbed-content"><div class="tabbed-block"><p>npm i</p></div><div class="tabbed-block"><p>yarn add</p></div></div></div>',
    '<div class="sd-tab-set"><input><label class="sd-tab-label">npm</label><div class="sd-tab-content"><p>npm i</p></div><input><label class="sd-tab-label">Yarn</label><div class="sd-tab-content"><p>yarn add</p></div></div>',
    '<div class="vp-code-group"><div class="tabs"><input><label>npm</label><input><label>Yarn</label></div><div class="blocks"><div>npm i</div><div style="display:none" class="tab">yarn add</div></div></div>',
    '<div role="tablist"><button role="tab" id="t2">Yarn</button><button role="tab" id="t1">npm</button></div><div role="tabpanel" aria-labelledby="t1">npm i</div><div role="tabpanel" aria-labelledby="t2" hidden>yarn add</div>',
  ]
  for (const html of tabs) {
    expect(markdownOf(`<main><p>Before.</p><div>${html}</div><p>After.</p></main>`)).toBe(
      'Before.\n\n**npm**\n\nnpm i\n\n**Yarn**\n\nyarn add\n\nAfter.',
    )
  }
})

test('an API signature becomes an entry with its anchor and description', () => {
  const html = `<main><dl class="py function"><dt class="sig sig-object" id="os.open"><span>os.</span><em>open</em>(<em>path</em>)<a class="headerlink" href="#os.open">¶</a></dt>
    <dd><p>Opens.</p><dl class="field-list"><dt>Parameters</dt><dd><p>path – where</p></dd></dl></dd></dl><p>After.</p></main>`
  expect(blocksOf(html)).toEqual([
    {
      kind: 'entry',
      term: '`os.open(path)`',
      anchor: 'os.open',
      blocks: [
        { kind: 'paragraph', markdown: 'Opens.' },
        { kind: 'paragraph', markdown: '**Parameters:** path – where' },
      ],
    },
    { kind: 'paragraph', markdown: 'After.' },
  ])
})

test('an empty anchor between two entries belongs to the second one', () => {
  const entry = (name: string) =>
    `<a name="${name}"></a><dt><b>${name}(X)</b></dt><dd><p>It is ${name}.</p></dd>`
  const entries = blocksOf(`<main><dl>${entry('abs')}${entry('sign')}</dl></main>`)
  expect(entries).toMatchObject([{ anchor: 'abs' }, { anchor: 'sign' }])
})

test('an entry with several terms has the anchor of the last term', () => {
  const html = '<main><dl><dt id="a">alpha</dt><dt id="b">beta</dt><dd><p>Letters.</p></dd></dl></main>'
  expect(blocksOf(html)).toMatchObject([{ kind: 'entry', term: 'alpha, beta', anchor: 'b' }])
})

test('tables keep their header and fill their spans; layout tables are read as text', () => {
  const data = `<main><table><thead><tr><th>Name</th><th>Type</th></tr></thead><tbody>
    <tr><td rowspan="2"><code>a|b</code></td><td>int</td></tr><tr><td><p>one</p><p>two</p></td></tr></tbody></table></main>`
  expect(blocksOf(data)).toEqual([
    {
      kind: 'table',
      header: ['Name', 'Type'],
      rows: [
        ['`a|b`', 'int'],
        ['`a|b`', 'one<br>two'],
      ],
    },
  ])
  expect(markdownOf(data)).toContain(String.raw`| \`a\|b\` | int |`.replaceAll('\\`', '`'))
  expect(
    markdownOf(
      '<main><table><tr><td><h2>Left</h2><p>x</p></td><td><ul><li>y</li></ul></td></tr></table></main>',
    ),
  ).toBe('## Left\n\nx\n\n- y')
})

test('code keeps its language and its lines', () => {
  const html = `<main><div class="highlight-python3 notranslate"><pre>x = 1\n\n  y</pre></div>
    <pre class="language-js"><code><div>let a</div><div>let b</div></code></pre><pre data-lang="sh">ls<br>cd</pre></main>`
  expect(blocksOf(html)).toEqual([
    { kind: 'code', language: 'python', code: 'x = 1\n\n  y' },
    { kind: 'code', language: 'js', code: 'let a\nlet b' },
    { kind: 'code', language: 'sh', code: 'ls\ncd' },
  ])
})

test('lists keep nesting, numbers and checkboxes; links and images become absolute', () => {
  const html = `<main><ol><li>One <a href="../b.html#c">b</a><ul><li>in</li></ul></li><li><input type="checkbox" checked> Two
    <pre>x</pre></li></ol><p><img src="/i.png" alt="A map"><a href="javascript:no()">stay</a></p></main>`
  expect(markdownOf(html)).toBe(
    '1. One [b](https://docs.example.com/b.html#c)\n   - in\n2. [x] Two\n\n   ```\n   x\n   ```\n\n![A map](https://docs.example.com/i.png)stay',
  )
})

test('text that looks like Markdown is escaped', () => {
  expect(
    markdownOf('<main><p>2 * 3 * 4, a_b_c, *x*, &lt;b&gt;, 1. end</p><p># no</p><p>1. no</p></main>'),
  ).toBe(
    String.raw`2 * 3 * 4, a_b_c, \*x\*, \<b>, 1. end` +
      '\n\n' +
      String.raw`\# no` +
      '\n\n' +
      String.raw`1\. no`,
  )
})

test('formulas keep their TeX source, and the page its language', () => {
  const page = read(
    `<html lang="pt_br"><main><p>So <span class="katex"><math><annotation encoding="application/x-tex">x^2</annotation></math><span aria-hidden="true">x2</span></span>.</p></main>`,
  )
  expect(renderBlocks(page.document.blocks)).toBe('So $x^2$.')
  expect(page.document.language).toBe('pt-BR')
})

test('a page that is only a table of contents keeps it; other pages do not', () => {
  const toc = '<div class="toc"><ul><li><a href="a.html">First chapter</a></li></ul></div>'
  expect(markdownOf(`<main><h1>Book</h1>${toc}</main>`)).toContain('First chapter')
  expect(markdownOf(`<main><h1>Book</h1>${toc}${PROSE}</main>`)).not.toContain('First chapter')
})

test('a page that is mostly links, with an unmarked article, is reduced to the article', () => {
  const links =
    '<div><p><a href="x.html">Some other page of ours that you may like to read</a></p></div>'.repeat(60)
  const article = `<div>${'<p>A sentence of the article, with a comma, and long enough to be taken for one by anybody.</p>'.repeat(20)}</div>`
  const markdown = markdownOf(`<body><div>${links}</div><div>${article}</div></body>`)
  expect(markdown).toContain('A sentence of the article')
  expect(markdown).not.toContain('Some other page')
})

test('hostile nesting is refused, broken markup is accepted', () => {
  expect(() => read('<div>'.repeat(100_000))).toThrow('nested more than 512 elements deep')
  expect(() => read('<main>' + '<br>'.repeat(1_000_001))).toThrow('more than a million elements')
  expect(markdownOf('<main><p>a<td>b</i><table><div>c')).toContain('c')
})

test('a bold question above its answer is a heading, and so is a bold line that the page links to', () => {
  const blocks = blocksOf(
    '<h1>FAQ</h1>' +
      PROSE +
      '<a name="q1"></a><p><b>(1) Is it free?</b></p><blockquote><p>Yes.</p></blockquote>' +
      '<p id="opt"><b>--watch</b></p><p>Starts again.</p><p><strong>Can it wait?</strong></p><p>No.</p>',
  )
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([
    { kind: 'heading', depth: 6, text: '(1) Is it free?', anchor: 'q1' },
    { kind: 'heading', depth: 6, text: '--watch', anchor: 'opt' },
    { kind: 'heading', depth: 6, text: 'Can it wait?', anchor: undefined },
  ])
})

test('other bold paragraphs stay text: a remark, two lines, bold words in a sentence, one in a list, and the last of a page', () => {
  const blocks = blocksOf(
    '<h1>T</h1>' +
      PROSE +
      '<p><b>Mind this.</b></p><p>A</p><p><b>Why<br>not?</b></p><p>B</p><p><b>Is</b> it <b>so?</b></p>' +
      '<ul><li><p><b>In a list?</b></p><p>C</p></li></ul><p><b>More questions?</b></p>',
  )
  expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([])
})

test('emphases side by side are one', () => {
  const type = ['Optional', '[', 'Union', '[', 'timedelta', ', ', 'int', ']', ']']
  const markdown = markdownOf(
    `<main>${PROSE}<p>age (${type.map((part) => `<em>${part}</em>`).join('')}) in seconds, <i>[a]</i><i>(b)</i></p></main>`,
  )
  expect(markdown).toContain('age (*Optional[Union[timedelta, int\\]]*) in seconds, *[a\\](b)*')
})

test.each([
  ['List', '&lt;', 'String', '&gt;'],
  ['Hi!', '<a href="/u">link</a>'],
  ['a ', '<code>b</code>', '<i>c</i>'],
  ['2 ', '* ', '3'],
])('emphases side by side keep their words: %s', (...parts) => {
  const words = parts.map((part) =>
    part
      .replaceAll(/<[^>]+>/g, '')
      .replace('&lt;', '<')
      .replace('&gt;', '>'),
  )
  const markdown = markdownOf(
    `<main>${PROSE}<p>x ${parts.map((part) => `<em>${part}</em>`).join('')} y</p></main>`,
  )
  expect(plainTextOf(markdown)).toContain(`x ${words.join('')} y`)
})
