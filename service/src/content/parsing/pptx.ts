import { DOCUMENT_TEXT } from '@citewell/contract/limits'
import { checkedParts } from './checked-zip.ts'
import { textLengthOf, withoutTitle } from './document-text.ts'
import { escapeLineStart, escapeText } from './inline-markdown.ts'
import { lastSegment } from './last-segment.ts'
import { leftOutOf } from './left-out.ts'
import { readOfficeXml } from './office-xml.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'
import { plainText } from './plain-text.ts'
import { readSlide, type Line, type Slide } from './read-slide.ts'
import { sheetBlocks } from './sheet-blocks.ts'

const MAX_SLIDES = 500
const MANY_SLIDES = `Of a presentation the first ${MAX_SLIDES} slides are read.`

const NO_PRESENTATION = 'The file is not a presentation (.pptx), or it is broken.'
const TOO_LONG = `It contains more than ${Math.floor(DOCUMENT_TEXT / 1e6)} million characters of text, the limit for one document. Split it.`

/**
 * Reads a presentation: the slides that are shown, in their order, each with its title, texts, lists and tables (ECMA-376, part 1, 19.3).
 * Notes are for the speaker, and left out.
 */
export function parsePptx(input: ParseInput): ParsedPage {
  const parts = checkedParts(input.bytes, (name) =>
    /^ppt\/(?:_rels\/)?presentation\.xml|^ppt\/slides\/[^/]+\.xml$/i.test(name),
  )
  const places = slidePlaces(parts)
  const told = new Set<string>()
  if (places.length > MAX_SLIDES) told.add(MANY_SLIDES)
  const slides: Block[] = []
  let room = DOCUMENT_TEXT
  for (const [at, place] of places.slice(0, MAX_SLIDES).entries()) {
    const slide = readSlide(parts.get(place) ?? '', room)
    if (slide === undefined) throw new ParseFailure(TOO_LONG)
    room -= slide.length
    // One by one: a slide of hundreds of thousands would be as many arguments.
    if (slide.isShown) for (const block of slideBlocks(slide, at + 1, told)) slides.push(block)
  }
  const [first] = slides
  const isNamed = first?.kind === 'heading' && !/^Slide \d+$/.test(first.text)
  const title = (isNamed && plainText(first.text)) || lastSegment(input.url)
  const blocks = withoutTitle(slides, title)
  return {
    document: { title, language: undefined, blocks, ...leftOutOf(told) },
    textLength: textLengthOf(blocks),
    page: undefined,
  }
}

/** The parts of the slides, in the order in which they are shown. */
function slidePlaces(parts: ReadonlyMap<string, string>): string[] {
  const [presentation, relations] = ['ppt/presentation.xml', 'ppt/_rels/presentation.xml.rels'].map((name) =>
    parts.get(name),
  )
  if (presentation === undefined || relations === undefined) throw new ParseFailure(NO_PRESENTATION)
  const targets = new Map<string | undefined, string | undefined>()
  readOfficeXml(relations, {
    open: { 'rel:Relationship': (attribute) => targets.set(attribute('Id'), attribute('Target')) },
  })
  const places: string[] = []
  readOfficeXml(presentation, {
    open: {
      'p:sldId': (attribute) => {
        const target = targets.get(attribute('r:id'))
        // Relative to the presentation, or from the root of the archive.
        if (target !== undefined) places.push(target.startsWith('/') ? target.slice(1) : `ppt/${target}`)
      },
    },
  })
  return places
}

function slideBlocks({ title, bodies }: Slide, number: number, told: Set<string>): Block[] {
  const blocks = bodies.flatMap((body) =>
    body.kind === 'table' ? sheetBlocks(body.rows, told) : textBlocks(body.lines, body.isPlaceholder),
  )
  if (title === '' && blocks.length === 0) return []
  const text = title === '' ? `Slide ${number}` : escapeText(title)
  return [{ kind: 'heading', depth: 2, text, anchor: undefined }, ...blocks]
}

/** The lines of a placeholder are a list, if there are several; those of a text box are paragraphs. */
function textBlocks(lines: readonly Line[], isPlaceholder: boolean): Block[] {
  const written = lines.map(({ text, level }) => ({ markdown: escapeLineStart(escapeText(text)), level }))
  if (!isPlaceholder || written.length < 2)
    return written.map(({ markdown }) => ({ kind: 'paragraph', markdown }))
  const items: string[][] = []
  for (const { markdown, level } of written) {
    const last = items.at(-1)
    if (level === 0 || last === undefined) items.push([markdown])
    else last.push(`${'  '.repeat(level - 1)}- ${markdown}`)
  }
  return [{ kind: 'list', items: items.map((item) => item.join('\n')), isOrdered: false }]
}
