import { decodeText } from './charset.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { readFragment } from './html.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import type { ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'
import { blocksHtml } from './rst-blocks.ts'
import type { RstReading } from './rst-reading.ts'
import { expandTabs } from './rst-lines.ts'
import { collectNames } from './rst-text.ts'

/** Maximum nesting of lists and directives; no real document nests deeper. */
const MAX_DEPTH = 60
const TOO_DEEP = `What is nested more than ${MAX_DEPTH} lists and directives deep is left out.`

/** Reads reStructuredText with the extensions of Sphinx. References to other files keep their text. */
export function parseRst(input: ParseInput): ParsedPage {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const lines = text.split(/\r\n?|\n/).map((line) => expandTabs(line).trimEnd())
  const { html, isTooDeep } = rstHtml(lines)
  const read = readFragment(html, input.url)
  const heading = read.find((block) => block.kind === 'heading')
  const title = heading === undefined ? '' : plainText(heading.text)
  const blocks = withoutTitle(read, title)
  return {
    document: {
      title: title || lastSegment(input.url),
      language: undefined,
      blocks,
      ...leftOutOf(isTooDeep ? [TOO_DEEP] : []),
    },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

function rstHtml(lines: readonly string[]): { html: string; isTooDeep: boolean } {
  let depth = 0
  let isTooDeep = false
  const reading: RstReading = {
    names: collectNames(lines),
    titleStyles: [],
    language: '',
    scope: [],
    blocksHtml(inner) {
      if (depth >= MAX_DEPTH) {
        isTooDeep = true
        return ''
      }
      depth += 1
      const html = blocksHtml(inner, reading)
      depth -= 1
      return html
    },
  }
  const html = reading.blocksHtml(lines)
  return { html, isTooDeep }
}
