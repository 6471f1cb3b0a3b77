/** A text of about `size` characters (never more) that is, or may be, slow or deeply nested for a parser. */
export type HostileShape = (size: number) => string

/** `piece` repeated, only in whole pieces if at least one fits. */
function filled(piece: string, size: number): string {
  return piece.length > size ? piece.slice(0, size) : piece.repeat(Math.floor(size / piece.length))
}

/** `open` repeated in the first half, `close` in the second: as deep as the size allows. */
function nested(open: string, close: string, size: number, middle = 'x'): string {
  const depth = Math.max(1, Math.floor((size - middle.length) / (open.length + close.length)))
  return (open.repeat(depth) + middle + close.repeat(depth)).slice(0, size)
}

/** Numbered pieces up to the size. */
function numbered(piece: (at: number) => string, size: number): string {
  const pieces: string[] = []
  let length = 0
  for (let at = 0; ; at++) {
    const next = piece(at)
    if (length + next.length > size) return pieces.length === 0 ? next.slice(0, size) : pieces.join('')
    pieces.push(next)
    length += next.length
  }
}

/** `head`, followed by a body that fills the rest. */
function after(head: string, size: number, body: (left: number) => string): string {
  return (head + body(Math.max(0, size - head.length))).slice(0, size)
}

/** Lines that each go one level deeper; the size is the square of the depth. */
function staircase(line: (depth: number) => string, size: number): string {
  return numbered(line, size)
}

/** Markdown that is slow, deep or ambiguous for some parser. */
export const MARKDOWN_SHAPES = {
  'bold-runs': (size) => filled('**x**y', size),
  'bold-opened': (size) => filled('**x ', size),
  'bold-closed': (size) => filled('x** ', size),
  'italic-opened': (size) => filled('*x ', size),
  'italic-both-signs': (size) => filled('*a _b ', size),
  'emphasis-of-three': (size) => filled('***x** y*', size),
  'emphasis-of-mixed-length': (size) => numbered((at) => `${'*'.repeat((at % 7) + 1)}a`, size),
  'emphasis-nested': (size) => nested('*a ', ' a*', size),
  'emphasis-between-letters': (size) => filled('a*b_c', size),
  'underscores-in-words': (size) => filled('_a', size),
  'stars-alone': (size) => filled('*', size),
  'strike-runs': (size) => filled('~~x~~y', size),
  'strike-opened': (size) => filled('~~x ', size),
  'brackets-opened': (size) => filled('[', size),
  'brackets-closed': (size) => filled(']', size),
  'brackets-nested': (size) => nested('[', ']', size),
  'link-starts': (size) => filled('[a](b', size),
  'link-starts-of-angle': (size) => filled('[a](<b', size),
  'link-titles-opened': (size) => filled('[a](b "c ', size),
  'links-nested': (size) => nested('[', '](u)', size),
  'links-many': (size) => numbered((at) => `[l${at}](https://example.com/${at}) `, size),
  'link-parentheses': (size) => after('[a](', size, (left) => nested('(', ')', left)),
  'images-nested': (size) => nested('![', '](u)', size),
  'images-opened': (size) => filled('![', size),
  'references-full': (size) => filled('[a][b]', size),
  'references-undefined': (size) => numbered((at) => `[r${at}] `, size),
  'definitions-many': (size) => numbered((at) => `[d${at}]: https://example.com/${at}\n`, size),
  'definitions-used': (size) =>
    numbered((at) => `[d${at}]: https://example.com/${at}\n\n[d${at}] [d0]\n\n`, size),
  'definition-one-long': (size) => after('[a]: https://example.com/', size, (left) => filled('x', left)),
  'definition-titles-opened': (size) => filled('[a]: b "c\n', size),
  'footnotes-many': (size) => numbered((at) => `[^${at}]: note\n\nx[^${at}]\n\n`, size),
  'footnotes-called': (size) => after('[^a]: note\n\n', size, (left) => filled('x[^a] ', left)),
  'markers-many': (size) => numbered((at) => `[${(at % 40) + 1}]`, size),
  'backticks-growing': (size) => numbered((at) => `${'`'.repeat(at + 1)}a`, size),
  'backticks-odd': (size) => filled('`a``b', size),
  'backticks-alone': (size) => filled('`', size),
  'fences-opened': (size) => filled('```\n', size),
  'fences-growing': (size) => numbered((at) => `${'`'.repeat(at + 3)}\n`, size),
  'fence-info-long': (size) => after('```', size, (left) => filled('js {1} ', left)),
  'quotes-nested': (size) => filled('>', size),
  'quotes-nested-spaced': (size) => filled('> ', size),
  'quotes-staircase': (size) => staircase((depth) => `${'> '.repeat(depth + 1)}a\n`, size),
  'lists-nested-on-a-line': (size) => filled('- ', size),
  'lists-numbered-on-a-line': (size) => filled('1. ', size),
  'lists-staircase': (size) => staircase((depth) => `${'  '.repeat(depth)}- a\n`, size),
  'lists-and-quotes': (size) => filled('> - ', size),
  'list-items-many': (size) => filled('- a\n', size),
  'list-items-loose': (size) => filled('* a\n\n', size),
  'list-markers-changing': (size) => filled('- a\n* a\n+ a\n', size),
  'headings-many': (size) => numbered((at) => `${'#'.repeat((at % 6) + 1)} h${at}\n\n`, size),
  'heading-long': (size) => after('# ', size, (left) => filled('heading ', left)),
  'heading-of-signs': (size) => filled('# ', size),
  'heading-underlined': (size) => after('a\n', size, (left) => filled('=', left)),
  'rules-many': (size) => filled('---\n\n', size),
  'table-wide': (size) => {
    const columns = Math.max(1, Math.min(10_000, Math.floor(size / 14)))
    const row = (cell: string) => `|${` ${cell} |`.repeat(columns)}\n`
    return after(row('a') + row('-'), size, (left) => filled(row('b'), left))
  },
  'table-cell-of-bold': (size) =>
    after('| a |\n| - |\n| ', size, (left) => `${filled('**x**y', left - 3)} |`),
  'table-cell-of-words': (size) =>
    after('| a |\n| - |\n| ', size, (left) => `${filled('word ', left - 3)} |`),
  'table-rows-many': (size) => after('| a | b |\n| - | - |\n', size, (left) => filled('| x | y |\n', left)),
  'table-pipes': (size) => filled('|', size),
  'table-escaped-pipes': (size) => after('| a |\n| - |\n| ', size, (left) => filled('\\|', left)),
  'table-delimiters': (size) => after('a\n', size, (left) => filled(':-:|', left)),
  'html-opened': (size) => filled('<a ', size),
  'html-closed': (size) => filled('</a>', size),
  'html-nested': (size) => nested('<b>', '</b>', size),
  'html-attributes': (size) => after('<a ', size, (left) => filled('b="c" ', left)),
  'html-comments-opened': (size) => filled('<!--', size),
  'html-declarations': (size) => filled('<!A ', size),
  'html-cdata': (size) => filled('<![CDATA[', size),
  'html-instructions': (size) => filled('<?', size),
  'angles-opened': (size) => filled('<', size),
  autolinks: (size) => filled('<https://example.com/a>', size),
  'autolinks-opened': (size) => filled('<https://a', size),
  'addresses-bare': (size) => filled('https://example.com/a ', size),
  'address-one-long': (size) => after('https://example.com/', size, (left) => filled('a/', left)),
  'address-closing-parentheses': (size) => after('https://example.com/a', size, (left) => filled(')', left)),
  'address-closing-signs': (size) => after('www.example.com/a', size, (left) => filled('?!.,:*_~', left)),
  'address-entities': (size) => after('www.example.com/a', size, (left) => filled('&amp;', left)),
  'www-many': (size) => filled('www.', size),
  'mail-one-long': (size) => filled('a.', size - 1) + '@',
  'mail-signs': (size) => filled('a@', size),
  'mail-many': (size) => filled('a@b.cc ', size),
  'schemes-many': (size) => filled('http:', size),
  entities: (size) => filled('&amp;', size),
  'entities-unknown': (size) => filled('&a;', size),
  'entities-opened': (size) => filled('&#x', size),
  ampersands: (size) => filled('&', size),
  backslashes: (size) => filled('\\', size),
  escapes: (size) => filled('\\*\\[\\`', size),
  exclamations: (size) => filled('!', size),
  'front-matter-opened': (size) => after('---\n', size, (left) => filled('a: b\n', left)),
  'braces-nested': (size) => nested('{', '}', size),
  'directives-nested': (size) => filled(':::note\n', size),
  'blank-lines': (size) => after('a', size, (left) => filled('\n', left)),
  'hard-breaks': (size) => filled('a  \n', size),
  'indented-code': (size) => filled('    a\n', size),
  tabs: (size) => filled('\t', size),
  'tab-staircase': (size) => staircase((depth) => `${'\t'.repeat(depth)}- a\n`, size),
} satisfies Record<string, HostileShape>

/** Plain text that is slow to scan for words, sentences, names, numbers or addresses. */
export const TEXT_SHAPES = {
  'word-one-long': (size) => filled('a', size),
  'word-of-humps': (size) => filled('aB', size),
  'word-of-capitals': (size) => filled('A', size),
  'word-of-digits': (size) => filled('1', size),
  'word-of-digits-and-letters': (size) => filled('a1', size),
  'word-of-dots': (size) => filled('a.b', size),
  'word-of-hyphens': (size) => filled('a-', size),
  'word-of-underscores': (size) => filled('a_b', size),
  'word-of-slashes': (size) => filled('a/', size),
  'word-of-colons': (size) => filled('a::', size),
  'word-of-apostrophes': (size) => filled("a'", size),
  'word-of-calls': (size) => filled('a()', size),
  'digit-groups': (size) => filled('1 ', size),
  'digit-groups-dotted': (size) => filled('1.', size),
  'digit-groups-of-phone': (size) => filled('+1 (2) 3-', size),
  'digits-of-card': (size) => filled('4111 1111 1111 1111 ', size),
  'hexadecimal-groups': (size) => filled('a1:', size),
  'version-long': (size) => after('version ', size, (left) => filled('1.', left)),
  'words-many': (size) => numbered((at) => `w${at.toString(36)} `, size),
  'words-same': (size) => filled('zebrafish ', size),
  'sentences-short': (size) => filled('A. ', size),
  'sentence-one-long': (size) => filled('word, ', size),
  'sentence-ends': (size) => filled('.', size),
  'sentence-ends-mixed': (size) => filled('?!…', size),
  abbreviations: (size) => filled('e.g. i.e. Mr. ', size),
  'quotation-marks': (size) => filled('"', size),
  'parentheses-nested': (size) => nested('(', ')', size),
  'lines-short': (size) => filled('a\n', size),
  'line-one-long': (size) => filled('lorem ipsum ', size),
  spaces: (size) => after('a', size, (left) => `${filled(' ', left - 1)}b`),
  'spaces-not-breaking': (size) => filled('\u00A0', size),
  'spaces-and-line-breaks': (size) => after('a', size, (left) => `${filled(' \n', left - 1)}b`),
  'carriage-returns': (size) => filled('a\r', size),
  'line-separators': (size) => filled('a\u2028b\u2029', size),
  'zero-bytes': (size) => filled('a\0', size),
  'control-characters': (size) => filled('\u0001\u0007\u001B[31m', size),
  'surrogates-alone': (size) => filled('a\uD83D', size),
  'surrogates-swapped': (size) => filled('\uDE00\uD83D', size),
  'replacement-characters': (size) => filled('\uFFFD', size),
  'combining-marks': (size) => after('a', size, (left) => filled('\u0301\u0323', left)),
  'combining-marks-many-letters': (size) => filled('e\u0301\u0302\u0303', size),
  'joined-emoji': (size) => filled('👩\u200D', size),
  emoji: (size) => filled('😀', size),
  'emoji-flags': (size) => filled('🇩🇪', size),
  'zero-width': (size) => filled('a\u200B\u200C\u2060\uFEFF', size),
  'soft-hyphens': (size) => filled('a\u00AD', size),
  'direction-overrides': (size) => filled('\u202Ea\u202C\u2066b\u2069', size),
  'direction-nested': (size) => nested('\u202B', '\u202C', size),
  arabic: (size) => filled('مرحبا ', size),
  'hebrew-one-word': (size) => filled('א', size),
  'chinese-one-line': (size) => filled('漢字文書', size),
  'japanese-mixed': (size) => filled('カナkana漢字', size),
  'thai-one-word': (size) => filled('กขค', size),
  'hangul-jamo': (size) => filled('\u1100\u1161\u11A8', size),
  'long-expansions': (size) => filled('ﷺ', size),
  ligatures: (size) => filled('ﬀİ', size),
  'full-width': (size) => filled('Ａ１', size),
  'private-use': (size) => filled('\uE000\u{F0000}', size),
  base64: (size) => filled('iVBORw0KGgoAAAANSUhEUgAA', size),
  'json-nested': (size) => nested('{"a":[', ']}', size, '1'),
  'json-one-line': (size) => `[${filled('{"a":1},', size - 4)}{}]`,
  'like-patterns': (size) => filled('%_', size),
  'query-signs': (size) => filled('a & | ! <-> ', size),
  'prototype-names': (size) => filled('__proto__ constructor toString ', size),
} satisfies Record<string, HostileShape>

/** HTML that is slow or deep for an HTML parser. Each is a body for `htmlPage`. */
export const HTML_SHAPES = {
  'bold-in-a-cell': (size) => inCell(size, (left) => filled('<b>x</b>y', left)),
  'emphasis-in-a-paragraph': (size) => within('p', size, (left) => filled('<i>a</i><b>b</b>', left)),
  'code-in-a-cell': (size) => inCell(size, (left) => filled('<code>`</code>', left)),
  'links-in-a-cell': (size) => inCell(size, (left) => filled('<a href="/a)b">]</a>', left)),
  'links-in-a-paragraph': (size) =>
    within('p', size, (left) => filled('<a href="https://example.com/(">[x]</a>', left)),
  'images-in-a-paragraph': (size) => within('p', size, (left) => filled('<img src="a" alt="![x]">', left)),
  'signs-in-a-paragraph': (size) => within('p', size, (left) => filled('**_[`', left)),
  'cell-one-long-word': (size) => inCell(size, (left) => filled('a', left)),
  'cell-of-breaks': (size) => inCell(size, (left) => filled('a<br>', left)),
  'cell-of-lists': (size) => inCell(size, (left) => filled('<ul><li>a</ul>', left)),
  'cells-many': (size) => `<table><tr>${filled('<td>a</td>', size - 28)}</tr></table>`,
  'rows-many': (size) => `<table>${filled('<tr><td>a<td>b', size - 15)}</table>`,
  'spans-wide': (size) => `<table>${filled('<tr><td colspan=1000 rowspan=65534>a', size - 15)}</table>`,
  'tables-nested': (size) => nested('<table><tr><td>', '</table>', size),
  'divisions-nested': (size) => nested('<div>', '</div>', size),
  'divisions-opened': (size) => filled('<div>', size),
  'spans-nested': (size) => nested('<span>', '</span>', size),
  'bold-nested': (size) => nested('<b>', '</b>', size),
  'bold-misnested': (size) => filled('<b><i></b>', size),
  'formatting-reopened': (size) => filled('<p><a><b><i><u>', size),
  'quotes-nested': (size) => nested('<blockquote>', '</blockquote>', size),
  'lists-nested': (size) => nested('<ul><li>', '</ul>', size),
  'definition-lists': (size) => filled('<dl><dt>a<dd>b', size),
  'headings-many': (size) => numbered((at) => `<h${(at % 6) + 1} id="h${at}">h</h${(at % 6) + 1}><p>a`, size),
  'heading-long': (size) => within('h2', size, (left) => filled('heading ', left)),
  'heading-of-lines': (size) => within('h2', size, (left) => filled('a<br>[x](y)', left)),
  'preformatted-one-line': (size) => within('pre', size, (left) => filled('x = 1; ', left)),
  'preformatted-backticks': (size) => within('pre', size, (left) => filled('`', left)),
  'preformatted-lines': (size) => within('pre', size, (left) => filled('a\n', left)),
  'tags-opened': (size) => filled('<a ', size),
  'attributes-many': (size) => `<p ${numbered((at) => `a${at}=1 `, size - 10)}>x</p>`,
  'attribute-long': (size) => `<a href="${filled('a', size - 20)}">x</a>`,
  'comments-opened': (size) => filled('<!--', size),
  entities: (size) => filled('&lt;&#x202e;', size),
  'scripts-opened': (size) => filled('<script>', size),
  'templates-nested': (size) => nested('<template>', '</template>', size),
  'svg-nested': (size) => nested('<svg><g>', '</g></svg>', size),
  'math-nested': (size) => nested('<math><mi>', '</mi></math>', size),
  'forms-and-selects': (size) => filled('<select><option>a<optgroup>', size),
  'details-nested': (size) => nested('<details><summary>a</summary>', '</details>', size),
} satisfies Record<string, HostileShape>

function within(tag: string, size: number, body: (left: number) => string): string {
  return `<${tag}>${body(Math.max(1, size - 2 * tag.length - 5))}</${tag}>`
}

function inCell(size: number, body: (left: number) => string): string {
  return `<table><tr><th>a</th></tr><tr>${within('td', size - 46, body)}</tr></table>`
}

/** Every shape by name, of all kinds: for entrances that accept any text. */
export const HOSTILE_SHAPES: Record<string, HostileShape> = Object.fromEntries(
  Object.entries({ markdown: MARKDOWN_SHAPES, text: TEXT_SHAPES, html: HTML_SHAPES }).flatMap(
    ([kind, shapes]) => Object.entries(shapes).map(([name, shape]) => [`${kind}:${name}`, shape]),
  ),
)

/** A page with the shape as its body; `word` can be searched for, before and after it. */
export function htmlPage(body: string, word = 'zebrafish'): string {
  return `<!doctype html><html lang="en"><head><title>About ${word}</title></head><body><main><h1>About ${word}</h1><p>The ${word} is here.</p>\n${body}\n<p>Behind it is the ${word} again.</p></main></body></html>`
}

/** The shape as text of a page: escaped, inside a paragraph or another element. */
export function asHtmlText(text: string, tag = 'p'): string {
  return `<${tag}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${tag}>`
}

/** A Markdown document with the shape as its body; `word` can be searched for, before and beside it. */
export function markdownPage(body: string, word = 'zebrafish'): string {
  return `# About ${word}\n\nThe ${word} is here.\n\n${body}\n\nBehind it is the ${word} again.\n`
}

/**
 * A third of the shapes, with their names. Slow tests take one each: together they take them all. With `HOSTILE_SHAPES=all` in the
 * environment each takes them all, which lasts minutes.
 */
export const someHostileShapes = (part: 0 | 1 | 2): [name: string, shape: HostileShape][] =>
  Object.entries(HOSTILE_SHAPES).filter(
    (_shape, at) => process.env['HOSTILE_SHAPES'] === 'all' || at % 3 === part,
  )
