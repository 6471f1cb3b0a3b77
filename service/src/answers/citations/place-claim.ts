import { closestSentence } from './claim-support.ts'
import type { CitedPart } from './cited-parts.ts'
import { indexWords, type WordIndex } from './content-words.ts'
import type { MarkerGroup } from './find-markers.ts'
import type { Span } from './find-words.ts'
import { sentencesOf } from './sentences.ts'

/** Where a claim stands in what it cites. */
export interface PlacedClaim {
  part: CitedPart
  /** Stretches of the part's text that say it, the claim's own first; none where nothing there is like it. */
  spans: Span[]
}

export type Placing = ReturnType<typeof createPlacing>

export type Claim = Pick<MarkerGroup, 'claim' | 'quoted'>

/**
 * Says where claims stand in some parts of pages: a quote where its words are, anything else at the sentence that has
 * most in common with it.
 */
export function createPlacing(parts: readonly CitedPart[]) {
  let sentences: { part: CitedPart; span: Span; index: WordIndex }[] | undefined

  function quotedAt({ claim, quoted }: Claim): PlacedClaim | undefined {
    let best: (PlacedClaim & { length: number }) | undefined
    for (const part of parts) {
      const own = part.find(claim)
      if (own === undefined) continue
      const spans = [own, ...quoted.flatMap((block) => findBlock(part, block))]
      // The same sentence may stand in two sections: the one that the rest of the quote is from is meant.
      const length = spans.reduce((sum, { start, end }) => sum + end - start, 0)
      if (length > (best?.length ?? 0)) best = { part, spans, length }
    }
    return best && { part: best.part, spans: best.spans }
  }

  return (claim: Claim): PlacedClaim | undefined => {
    const quoted = quotedAt(claim)
    if (quoted !== undefined) return quoted
    sentences ??= parts.flatMap(sentencesIn)
    const closest = closestSentence(claim.claim, sentences)
    if (closest !== undefined) return { part: closest.part, spans: [closest.span] }
    const [first] = parts
    return first && { part: first, spans: [] }
  }
}

/** A quoted block in a part: whole, or those sentences of it that are there. */
function findBlock(part: CitedPart, block: string): Span[] {
  const whole = part.find(block)
  return whole === undefined ? sentencesOf(block).flatMap(({ text }) => part.find(text) ?? []) : [whole]
}

function sentencesIn(part: CitedPart) {
  return part.blocks.flatMap(({ start, end }) =>
    sentencesOf(part.text.slice(start, end)).map((sentence) => {
      const text = sentence.text.trimEnd()
      const span = { start: start + sentence.start, end: start + sentence.start + text.length }
      return { part, span, index: indexWords(text) }
    }),
  )
}
