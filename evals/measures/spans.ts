import { lettersOf } from './words.ts'
import { known, meanOf, type Measure } from './observation.ts'

/** Number of passages that are read. */
const PASSAGES = 5

interface Stretch {
  from: number
  to: number
}

/** Positions of a text in a document, both reduced to letters; in pieces if the product has changed the text. */
function placesOf(text: string, letters: string): Stretch[] {
  const whole = lettersOf(text)
  const at = whole === '' ? -1 : letters.indexOf(whole)
  if (at >= 0) return [{ from: at, to: at + whole.length }]
  const pieces = text.split(/\n+|(?<=[.!?])\s+/)
  if (pieces.length < 2) return []
  return pieces.flatMap((piece) => placesOf(piece, letters))
}

/** Fraction of the letters of some spans that lies within others. */
function covered(wanted: readonly Stretch[], by: readonly Stretch[]): number {
  let inside = 0
  let all = 0
  for (const { from, to } of wanted) {
    all += to - from
    for (let letter = from; letter < to; letter += 1) {
      if (by.some((stretch) => letter >= stretch.from && letter < stretch.to)) inside += 1
    }
  }
  return all === 0 ? 0 : inside / all
}

interface GoldSpan {
  content: string
}

/**
 * Fraction of the gold spans that is in the first five passages found, in letters. `documents` are the texts by page id.
 */
export function measureSpans(documents: ReadonlyMap<string, string>): Measure {
  const letters = new Map([...documents].map(([page, text]) => [page, lettersOf(text)]))
  return (observations) => {
    const recalls = observations.flatMap(({ question, answer }) => {
      if (answer === undefined) return []
      const page = String(question.fields['corpus_id'])
      const text = letters.get(page) ?? ''
      const gold = (question.fields['spans'] as GoldSpan[]).flatMap(({ content }) => placesOf(content, text))
      const found = answer.passages
        .slice(0, PASSAGES)
        .filter((_, place) => answer.found[place]?.page === page)
        .flatMap((passage) => placesOf(passage, text))
      return [covered(gold, found)]
    })
    return known({ span_recall: recalls.length === 0 ? undefined : meanOf(recalls) })
  }
}
