import { readOfficeXml } from './office-xml.ts'

/** Deeper levels of a list are shown as this one. */
const MAX_LEVEL = 4

/** Placeholders that say nothing of the slide: its number, the date, what stands at the foot of all of them. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr'])
const TITLES = new Set(['title', 'ctrTitle'])

/** A paragraph: plain text on one line, and its level in a list, from 0. */
export interface Line {
  text: string
  level: number
}

export type SlideBody =
  | { kind: 'text'; lines: Line[]; isPlaceholder: boolean }
  | { kind: 'table'; rows: string[][] }

export interface Slide {
  /** Empty if it has none. */
  title: string
  bodies: SlideBody[]
  isShown: boolean
  /** Characters of all its text. */
  length: number
}

/** Reads the XML of a slide in one pass. @returns undefined if it has more characters of text than `room` */
export function readSlide(xml: string, room: number): Slide | undefined {
  const slide: Slide = { title: '', bodies: [], isShown: true, length: 0 }
  let shape: { placeholder: string | undefined; lines: Line[] } | undefined
  let table: string[][] | undefined
  let cell: string[] | undefined
  let paragraph: { pieces: string[]; level: number } | undefined
  let isText = false

  function endShape() {
    const { placeholder, lines } = shape ?? { placeholder: undefined, lines: [] }
    shape = undefined
    if (lines.length === 0 || FURNITURE.has(placeholder ?? '')) return
    if (slide.title === '' && TITLES.has(placeholder ?? ''))
      slide.title = lines.map(({ text }) => text).join(' ')
    else slide.bodies.push({ kind: 'text', lines, isPlaceholder: placeholder !== undefined })
  }
  function endParagraph() {
    const { pieces, level } = paragraph ?? { pieces: [], level: 0 }
    paragraph = undefined
    const text = pieces
      .join('')
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
    if (text === '') return
    if (cell !== undefined) cell.push(text)
    else shape?.lines.push({ text, level })
  }
  readOfficeXml(xml, {
    open: {
      'p:sld': (attribute) => (slide.isShown = attribute('show') !== '0'),
      'p:sp': () => (shape = { placeholder: undefined, lines: [] }),
      'p:ph': (attribute) => {
        if (shape !== undefined) shape.placeholder = attribute('type') ?? 'body'
      },
      'a:tbl': () => (table = []),
      'a:tr': () => table?.push([]),
      'a:tc': () => (cell = []),
      'a:p': () => (paragraph = { pieces: [], level: 0 }),
      'a:pPr': (attribute) => {
        const level = Math.min(MAX_LEVEL, Number(attribute('lvl') ?? 0) || 0)
        if (paragraph !== undefined) paragraph.level = Math.max(0, level)
      },
      'a:br': () => paragraph?.pieces.push(' '),
      'a:t': () => (isText = true),
    },
    close: {
      'p:sp': endShape,
      'a:tbl': () => {
        if (table !== undefined) slide.bodies.push({ kind: 'table', rows: table })
        table = undefined
      },
      'a:tc': () => {
        table?.at(-1)?.push(cell?.join(' ') ?? '')
        cell = undefined
      },
      'a:p': endParagraph,
      'a:t': () => (isText = false),
    },
    text: (text) => {
      if (!isText || paragraph === undefined) return
      slide.length += text.length
      if (slide.length <= room) paragraph.pieces.push(text)
    },
  })
  return slide.length > room ? undefined : slide
}
