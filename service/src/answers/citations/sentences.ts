const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Apparent sentence ends that are not: abbreviations, initials, and a number's full stop ("sec. 4"). */
const NOT_SENTENCE_END =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|resp|incl|esp|no|nos|fig|sec|ch|vol|mr|mrs|ms|dr|prof|st|\p{L})\.\s*$/iu

/** Length of the tail of a text that decides whether a sentence continues. */
const END = 24

export interface Sentence {
  /** Offsets in the text; the space after a sentence belongs to it. */
  start: number
  end: number
  text: string
}

/** The sentences of plain text, in order, covering all of it. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    if (last !== undefined && NOT_SENTENCE_END.test(last.text.slice(-END))) {
      last.text += segment
      last.end += segment.length
    } else {
      sentences.push({ start: index, end: index + segment.length, text: segment })
    }
  }
  return sentences
}
