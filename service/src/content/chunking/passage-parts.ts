import { plainText } from '../parsing/parsing.ts'
import type { Chunk } from './chunk.ts'

/** Changes whenever the same passage would be taken apart differently. */
export const PARTS_VERSION = 'parts-1'

/** A part shorter than this goes with its neighbour: alone it says too little to be compared. In characters. */
const SHORT_BEFORE = 40
const SHORT = 20

const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(language: string): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** What a passage is about: the page's title and the headings above it. */
export function contextLine(title: string, headingPath: readonly string[]): string {
  return [title, ...headingPath].join(' › ')
}

/** The sentences of plain text, no line reaching into the next; scraps go with what stands before them. */
function sentencesOf(text: string, language: string | undefined): string[] {
  const sentences: string[] = []
  for (const line of text.split('\n')) {
    for (const { segment } of segmenterOf(language ?? 'en').segment(line)) {
      const sentence = segment.trim()
      if (sentence === '') continue
      const before = sentences.at(-1)
      if (before !== undefined && (before.length < SHORT_BEFORE || sentence.length < SHORT)) {
        sentences[sentences.length - 1] = `${before} ${sentence}`
      } else sentences.push(sentence)
    }
  }
  return sentences
}

/** A passage as it is embedded: what it is about first, then its sentences, without marks and addresses. */
export function passageParts(
  title: string,
  chunk: Pick<Chunk, 'headingPath' | 'text'>,
  language: string | undefined,
): [context: string, ...sentences: string[]] {
  return [contextLine(title, chunk.headingPath), ...sentencesOf(plainText(chunk.text), language)]
}
