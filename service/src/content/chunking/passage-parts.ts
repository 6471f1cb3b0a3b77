import { plainText } from '../parsing/parsing.ts'
import type { Chunk } from './chunk.ts'

/** Increment when the same passage would be divided differently. */
export const PARTS_VERSION = 'parts-1'

/** A part shorter than this is joined to its neighbour: alone it says too little to be compared. In characters. */
const SHORT_BEFORE = 40
const SHORT = 20

const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(language: string): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** The topic of a passage: the page's title and the headings above it. */
export function contextLine(title: string, headingPath: readonly string[]): string {
  return [title, ...headingPath].join(' › ')
}

/** The sentences of plain text, none spanning several lines; fragments are joined to the sentence before them. */
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

/** A passage as it is embedded: first its topic, then its sentences, without markup and addresses. */
export function passageParts(
  title: string,
  chunk: Pick<Chunk, 'headingPath' | 'text'>,
  language: string | undefined,
): [context: string, ...sentences: string[]] {
  return [contextLine(title, chunk.headingPath), ...sentencesOf(plainText(chunk.text), language)]
}
