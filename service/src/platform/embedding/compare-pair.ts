import { meanOf } from '../../kernel/mean.ts'
import type { EncodedPair, PartSpan } from './word-piece.ts'

/** What one pass of the model over a question and a passage together tells of the two. */
export interface Comparison {
  /** Cosine of the mean of the question's tokens and that of the passage's, -1 to 1. */
  similarity: number
  /** Of each part of the question the mean over its tokens of the cosine of the nearest token of the passage; undefined if it has none. */
  words: (number | undefined)[]
  /** Of each part of the passage the similarity, and the mean of `words` with this part alone; undefined if it was cut off. */
  parts: (PartComparison | undefined)[]
}

export interface PartComparison {
  similarity: number
  nearest: number
}

/** Vectors of tokens, one after the other. */
interface TokenVectors {
  data: Float32Array
  dimensions: number
}

const dot = ({ data, dimensions }: TokenVectors, left: number, right: number) => {
  let sum = 0
  for (let axis = 0; axis < dimensions; axis += 1)
    sum += (data[left * dimensions + axis] ?? 0) * (data[right * dimensions + axis] ?? 0)
  return sum
}

/** The same vectors, each of length 1. */
function toUnits({ data, dimensions }: TokenVectors): TokenVectors {
  const units = new Float32Array(data.length)
  for (let start = 0; start < data.length; start += dimensions) {
    let square = 0
    for (let axis = 0; axis < dimensions; axis += 1) square += (data[start + axis] ?? 0) ** 2
    const length = Math.sqrt(square) || 1
    for (let axis = 0; axis < dimensions; axis += 1) units[start + axis] = (data[start + axis] ?? 0) / length
  }
  return { data: units, dimensions }
}

/** The sum of the vectors of some tokens: of a mean, only the direction counts. */
function sumOf({ data, dimensions }: TokenVectors, { start, end }: Pick<PartSpan, 'start' | 'end'>) {
  const sum = new Float32Array(dimensions)
  for (let at = start * dimensions; at < end * dimensions; at += 1) {
    const axis = at % dimensions
    sum[axis] = (sum[axis] ?? 0) + (data[at] ?? 0)
  }
  return sum
}

function cosine(left: Float32Array, right: Float32Array): number {
  let [product, ofLeft, ofRight] = [0, 0, 0]
  for (const [axis, value] of left.entries()) {
    const other = right[axis] ?? 0
    product += value * other
    ofLeft += value * value
    ofRight += other * other
  }
  return product / (Math.sqrt(ofLeft * ofRight) || 1)
}

const spanOf = (spans: readonly PartSpan[]) => ({ start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 })

/** How many parts the question and the passage of a pair have. */
interface PartCounts {
  question: number
  passage: number
}

/**
 * Compares the question of a pair with its passage by the vectors that the model gave their tokens. The numbers of a `Comparison`, for a
 * message between threads: its similarity, its words, and two for each of its parts; NaN for what has no tokens.
 */
export function comparePair(
  vectors: TokenVectors,
  { question, passage }: Pick<EncodedPair, 'question' | 'passage'>,
  counts: PartCounts,
): Float32Array<ArrayBuffer> {
  const units = toUnits(vectors)
  const asked = spanOf(question)
  const tokens = Array.from({ length: asked.end - asked.start }, (_, place) => asked.start + place)
  const meaning = sumOf(vectors, asked)
  const overall = tokens.map(() => -1)
  const numbers = new Float32Array(1 + counts.question + 2 * counts.passage).fill(Number.NaN)
  numbers[0] = cosine(meaning, sumOf(vectors, spanOf(passage)))
  for (const span of passage) {
    const nearest = tokens.map((token) => {
      let best = -1
      for (let other = span.start; other < span.end; other += 1)
        best = Math.max(best, dot(units, token, other))
      return best
    })
    for (const [place, value] of nearest.entries()) overall[place] = Math.max(overall[place] ?? -1, value)
    const at = 1 + counts.question + 2 * span.part
    numbers[at] = cosine(meaning, sumOf(vectors, span))
    numbers[at + 1] = meanOf(nearest)
  }
  for (const { part, start, end } of question)
    numbers[1 + part] = meanOf(overall.slice(start - asked.start, end - asked.start))
  return numbers
}

/** The comparison that `comparePair` wrote as numbers. */
export function readComparison(numbers: Float32Array, { question, passage }: PartCounts): Comparison {
  const numberAt = (place: number) => {
    const number = numbers[place]
    return number === undefined || Number.isNaN(number) ? undefined : number
  }
  return {
    similarity: numberAt(0) ?? 0,
    words: Array.from({ length: question }, (_, part) => numberAt(1 + part)),
    parts: Array.from({ length: passage }, (_, part) => {
      const at = 1 + question + 2 * part
      const [similarity, nearest] = [numberAt(at), numberAt(at + 1)]
      return similarity === undefined || nearest === undefined ? undefined : { similarity, nearest }
    }),
  }
}
