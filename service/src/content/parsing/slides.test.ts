import { expect, test } from 'vitest'
import { zipOf } from '../../../test/hostile-files.ts'
import { parsePptx } from './pptx.ts'
import { renderBlocks } from './render-markdown.ts'

const NAMESPACES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const OF_PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** A presentation of these slides, in this order, each as the XML of its shapes; `hidden` ones are not shown. */
function presentation(slides: readonly string[], hidden: readonly number[] = []): Buffer {
  // The parts are numbered the other way round: the order of the presentation counts.
  const partOf = (at: number) => `slide${slides.length - at}.xml`
  const files: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation ${NAMESPACES}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships xmlns="${OF_PACKAGE}">${slides.map((_, at) => `<Relationship Id="r${at}" Target="slides/${partOf(at)}"/>`).join('')}</Relationships>`,
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${NAMESPACES}>${shape('Said aloud', 'body')}</p:notes>`,
    ...Object.fromEntries(
      slides.map((shapes, at) => [
        `ppt/slides/${partOf(at)}`,
        `<p:sld ${NAMESPACES}${hidden.includes(at) ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  }
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })))
}

const paragraph = (text: string, level = 0) =>
  `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`
/** A placeholder of a kind; without one, a text box. */
function shape(lines: string | readonly string[], kind?: string) {
  const place = kind === undefined ? '' : `<p:nvPr><p:ph type="${kind}"/></p:nvPr>`
  const text = typeof lines === 'string' ? paragraph(lines) : lines.join('')
  return `<p:sp>${place}<p:txBody>${text}</p:txBody></p:sp>`
}
const read = (bytes: Uint8Array) =>
  parsePptx({ mediaType: '', bytes, url: 'file:///On%20call.pptx' }).document

test('a presentation is its slides in their order, each with its title, lists, texts and tables', () => {
  const cell = (text: string) => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell('Service')}${cell('Team')}</a:tr><a:tr>${cell('Login')}${cell('Identity')}</a:tr></a:tbl></p:graphicFrame>`
  const list = [paragraph('Acknowledge it'), paragraph('by &lt;phone&gt;', 1), paragraph('Open an incident')]
  const document = read(
    presentation(
      [
        shape('On-call handbook', 'ctrTitle') + shape('Platform team', 'subTitle') + shape('7', 'sldNum'),
        shape('When an alert comes', 'title') + shape(list, 'body'),
        shape('Hidden', 'title'),
        table +
          shape([
            '<a:p><a:r><a:t># Not </a:t></a:r><a:br/><a:r><a:t>a heading</a:t></a:r></a:p>',
            paragraph('Second'),
          ]),
        shape('', 'title'),
      ],
      [2],
    ),
  )
  expect(document.title).toBe('On-call handbook')
  expect(renderBlocks(document.blocks)).toBe(
    'Platform team\n\n## When an alert comes\n\n- Acknowledge it\n  - by \\<phone>\n- Open an incident\n\n## Slide 4\n\n| Service | Team |\n| --- | --- |\n| Login | Identity |\n\n\\# Not a heading\n\nSecond',
  )
})

test('a presentation without a title is named like its file', () => {
  expect(read(presentation([shape('Only text')])).title).toBe('On call')
})

test('the first 500 slides are read, and the owner is told of the others', () => {
  const document = read(presentation(Array.from({ length: 501 }, (_, at) => shape(`Title ${at}`, 'title'))))
  expect(document.blocks).toHaveLength(499)
  expect(document.leftOut).toEqual(['Of a presentation the first 500 slides are read.'])
})

test('what is no presentation is refused in words, and entities are only those of XML', () => {
  expect(() => read(Buffer.from('no archive'))).toThrow(/^The file is broken/)
  expect(() => read(zipOf([{ name: 'word/document.xml', content: Buffer.from('<w/>') }]))).toThrow(
    'The file is not a presentation (.pptx), or it is broken.',
  )
  expect(renderBlocks(read(presentation([shape('&a; &amp;b; &#128512;')])).blocks)).toBe(
    '## Slide 1\n\n&a; &b; 😀',
  )
})
