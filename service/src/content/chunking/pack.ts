import { part, type Measure, type SplittableBlock } from './splittable-block.ts'

/** A chunk being built. */
export interface Packed {
  text: string
  tokens: number
  /** Number of visible characters. */
  length: number
  /** Anchors set by the text itself (pages of a PDF), in order, each at its offset in the text. */
  anchors: { at: number; anchor: string }[]
}

/** Target length of a chunk: about a screenful. A chunk may be longer if that avoids a split, but never exceeds the token limit. */
export const GOOD_LENGTH = 900
/** A chunk shorter than this is filled up. */
const SHORT_LENGTH = 350
/** A last piece this short is joined to the piece before it. */
const LEFTOVER_LENGTH = 200

interface Piece {
  text: string
  tokens: number
  length: number
  keepWithNext: boolean
  anchor: string | undefined
}

/** Packs blocks, in order, into as few well-sized chunks as possible. */
export function pack(splittables: readonly SplittableBlock[], measure: Measure): Packed[] {
  const pages: Piece[][] = []
  let page: Piece[] = []
  const turn = () => {
    // A piece that introduces the next one moves with it.
    let kept = page.length
    while (kept > 1 && page[kept - 1]?.keepWithNext === true) kept -= 1
    const areAllKeptWithNext = page.every((piece) => piece.keepWithNext)
    const moved = areAllKeptWithNext ? [] : page.slice(kept)
    const stay = areAllKeptWithNext ? page : page.slice(0, kept)
    if (stay.length > 0) pages.push(stay)
    page = moved
  }
  const fits = (tokens: number) => tokensOf(page) + tokens <= measure.limit
  for (const splittable of splittables) {
    const whole = pieceOf(splittable, splittable.parts, measure)
    const isShort = lengthOf(page) < SHORT_LENGTH || lengthOf(page) + whole.length <= GOOD_LENGTH
    if (fits(whole.tokens) && isShort) {
      page.push(whole)
      continue
    }
    if (whole.tokens <= measure.limit && (splittable.avoidSplit || whole.length <= GOOD_LENGTH)) {
      turn()
      if (!fits(whole.tokens)) turn()
      page.push(whole)
      continue
    }
    for (const piece of splitIntoPieces(splittable, measure, () => measure.limit - tokensOf(page))) {
      if (page.length > 0 && !fits(piece.tokens)) turn()
      if (page.length > 0 && !fits(piece.tokens)) turn()
      page.push(piece)
    }
  }
  if (page.length > 0) pages.push(page)
  return joinLeftovers(pages, measure).map(packedOf)
}

function pieceOf(splittable: SplittableBlock, parts: SplittableBlock['parts'], measure: Measure): Piece {
  const frame = frameOf(splittable, measure)
  const joined = parts.map(({ text }) => text).join(splittable.separator)
  return {
    text: `${splittable.open}${splittable.separator === '' ? joined.trim() : joined}${splittable.close}`,
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, frame.tokens),
    length: parts.reduce((sum, { length }) => sum + length, frame.length),
    keepWithNext: splittable.keepWithNext,
    anchor: splittable.anchor,
  }
}

/** Size of the text that is repeated with every piece of a block. */
function frameOf({ open, close }: SplittableBlock, measure: Measure): { tokens: number; length: number } {
  return open === '' ? { tokens: 0, length: 0 } : part(`${open}${close.trimStart()}`, measure)
}

/** Splits a block into well-sized pieces; the first fills the remaining space if that is worth it. */
function* splitIntoPieces(
  splittable: SplittableBlock,
  measure: Measure,
  roomLeft: () => number,
): Generator<Piece, void, void> {
  const frame = frameOf(splittable, measure)
  let parts: SplittableBlock['parts'] = []
  let { tokens, length } = frame
  let isFirst = true
  const room = roomLeft()
  let limit = room > measure.limit / 2 ? room : measure.limit
  for (const next of splittable.parts) {
    const isFull = tokens + next.tokens > limit || length + next.length > GOOD_LENGTH
    if (parts.length > 0 && isFull) {
      yield pieceOf(
        { ...splittable, keepWithNext: false, anchor: isFirst ? splittable.anchor : undefined },
        parts,
        measure,
      )
      isFirst = false
      limit = measure.limit
      parts = []
      tokens = frame.tokens
      length = frame.length
    }
    parts.push(next)
    tokens += next.tokens
    length += next.length
  }
  yield pieceOf({ ...splittable, anchor: isFirst ? splittable.anchor : undefined }, parts, measure)
}

/** Joins a leftover of a few words to the page before it, if it fits. */
function joinLeftovers(pages: Piece[][], measure: Measure): Piece[][] {
  const last = pages.at(-1)
  const before = pages.at(-2)
  if (last === undefined || before === undefined || lengthOf(last) > LEFTOVER_LENGTH) return pages
  if (tokensOf(last) + tokensOf(before) > measure.limit) return pages
  return [...pages.slice(0, -2), [...before, ...last]]
}

const BETWEEN_PIECES = '\n\n'

function packedOf(page: readonly Piece[]): Packed {
  const anchors: Packed['anchors'] = []
  let at = 0
  for (const { text, anchor } of page) {
    if (anchor !== undefined) anchors.push({ at, anchor })
    at += text.length + BETWEEN_PIECES.length
  }
  return {
    text: page.map(({ text }) => text).join(BETWEEN_PIECES),
    tokens: tokensOf(page),
    length: lengthOf(page),
    anchors,
  }
}

function tokensOf(page: readonly Piece[]): number {
  return page.reduce((sum, { tokens }) => sum + tokens, 0)
}

function lengthOf(page: readonly Piece[]): number {
  return page.reduce((sum, { length }) => sum + length, 0)
}
