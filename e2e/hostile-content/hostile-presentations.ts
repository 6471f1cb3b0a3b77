import { zipOf } from '../../service/test/hostile-files.ts'

const NAMESPACES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const MEGABYTE = 1_048_576

/** A presentation of one slide. */
function slide(xml: string, relation = 'slides/slide1.xml'): Buffer {
  const files = {
    'ppt/presentation.xml': `<p:presentation ${NAMESPACES}><p:sldId r:id="r1"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Target="${relation}"/></Relationships>`,
    'ppt/slides/slide1.xml': xml,
  }
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })))
}
const shape = (inner: string) => `<p:sld ${NAMESPACES}><p:sp><p:txBody>${inner}</p:txBody></p:sp></p:sld>`
const VALVE = '<a:p><a:r><a:t>Valve.</a:t></a:r></a:p>'

/** Presentations that are broken, endless, or made to attack their reader. */
export const PRESENTATIONS: Record<string, () => Buffer> = {
  'spaces.pptx': () => zipOf([{ name: 'ppt/slides/slide1.xml', content: Buffer.alloc(50 * MEGABYTE, 0x20) }]),
  'deep.pptx': () => slide(shape(`${'<a:p>'.repeat(200_000)}Valve.${'</a:p>'.repeat(200_000)}`)),
  'deep-groups.pptx': () =>
    slide(
      `<p:sld ${NAMESPACES}>${'<p:grpSp>'.repeat(100_000)}${shape(VALVE)}${'</p:grpSp>'.repeat(100_000)}</p:sld>`,
    ),
  'many-paragraphs.pptx': () => slide(shape(VALVE.repeat(200_000))),
  'many-cells.pptx': () =>
    slide(
      `<p:sld ${NAMESPACES}><a:tbl><a:tr>${`<a:tc>${VALVE}</a:tc>`.repeat(50_000)}</a:tr>${'<a:tr/>'.repeat(50_000)}</a:tbl></p:sld>`,
    ),
  'outer-file.pptx': () => slide(shape(VALVE), '../../../../etc/passwd'),
  'unclosed.pptx': () => slide(`<p:sld ${NAMESPACES}><p:sp><p:txBody><a:p><a:t>Valve.`),
}
