import { expect, test } from 'vitest'
import { readFragment } from './html.ts'
import { renderBlocks } from './render-markdown.ts'

const markdownOf = (html: string) => renderBlocks(readFragment(html, 'https://docs.test/guide/page.html'))

/** A reference, and the footnote, as tools write them. */
const WRITTEN = {
  DocBook: [
    '<p>Als Mount-Punkt<a href="#ftn.idm3514" class="footnote" id="idm3514"><sup class="footnote">[20]</sup></a> dient er.</p>',
    '<div id="ftn.idm3514" class="footnote"><p><a href="#idm3514" class="para"><sup class="para">[20] </sup></a>Wenn er leer ist.</p></div>',
  ],
  'DocBook without classes': [
    '<p>Als Mount-Punkt<sup>[<a href="#ftn.id3514" name="id3514">20</a>]</sup> dient er.</p>',
    '<div class="footnote"><p><sup>[<a href="#id3514" name="ftn.id3514">20</a>] </sup>Wenn er leer ist.</p></div>',
  ],
  Sphinx: [
    '<p>Als Mount-Punkt<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>20<span class="fn-bracket">]</span></a> dient er.</p>',
    '<aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">20</a><span class="fn-bracket">]</span></span><span class="backrefs">(<a role="doc-backlink" href="#id1">1</a>,<a role="doc-backlink" href="#id3">2</a>)</span><p>Wenn er leer ist.</p></aside>',
  ],
  MediaWiki: [
    '<p>Als Mount-Punkt<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span>[</span>20<span>]</span></a></sup> dient er.</p>',
    '<div id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">↑</a></b></span> <span class="reference-text">Wenn er leer ist.</span></div>',
  ],
  Asciidoctor: [
    '<p>Als Mount-Punkt<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1" title="View footnote.">20</a>]</sup> dient er.</p>',
    '<div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">20</a> Wenn er leer ist.</div>',
  ],
  GitHub: [
    '<p>Als Mount-Punkt<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>20</a></sup> dient er.</p>',
    '<p>Wenn er leer ist. <a href="#user-content-fnref-1" class="data-footnote-backref">↩</a></p>',
  ],
}

test.each(Object.entries(WRITTEN))(
  'marks of footnotes of %s are no text',
  (_, [reference = '', note = '']) => {
    expect(markdownOf(reference + note)).toBe('Als Mount-Punkt dient er.\n\nWenn er leer ist.')
  },
)

test('numbers that say something stay, with their links', () => {
  const page =
    '<p>See step <a href="#step-5">5</a>, <a href="#RFC2119">[3]</a>, page <a href="?page=2">2</a>, and 2<sup>10</sup>.</p>'
  expect(markdownOf(page)).toBe(
    'See step [5](https://docs.test/guide/page.html#step-5), [[3]](https://docs.test/guide/page.html#RFC2119), page [2](https://docs.test/guide/page.html?page=2), and 2^10.',
  )
})
