import { closestSentence } from './claim-support.ts'
import type { CitedPart } from './cited-parts.ts'
import { indexWords, type WordIndex } from './content-words.ts'
import type { MarkerGroup } from './find-markers.ts'
import type { Span } from './find-words.ts'
import { sentencesOf } from '../../kernel/sentences.ts'

/** The location of a claim in the cited text. */
export interface ClaimLocation {
  part: CitedPart
  /** Spans of the part's text that support it, first the one that it opens at; empty if nothing is similar. */
  spans: Span[]
}

export type ClaimLocator = ReturnType<typeof createClaimLocator>

export type Claim = Pick<MarkerGroup, 'claim' | 'quoted' | 'wholeQuote'>

/**
 * Locates claims in parts of pages: a quote at its exact words, anything else at the sentence with most words in
 * common.
 */
export function createClaimLocator(parts: readonly CitedPart[]) {
  let sentences: { part: CitedPart; span: Span; index: WordIndex }[] | undefined

  function quotedAt({ claim, quoted, wholeQuote }: Claim): ClaimLocation | undefined {
    let best: (ClaimLocation & { hasOwn: boolean; length: number }) | undefined
    for (const part of parts) {
      const own = part.find(claim)
      const whole = part.find(wholeQuote)
      const rest = whole === undefined ? quoted.flatMap((block) => findBlock(part, block)) : [whole]
      const supporting = own === undefined ? rest : [own, ...rest]
      const [first] = supporting
      if (first === undefined) continue
      const hasOwn = own !== undefined
      // The same sentence may occur in two sections: choose the one that also has the rest of the quote. The last item of a list is often
      // too short to be found: then the rest of the quote decides alone.
      const length = supporting.reduce((sum, { start, end }) => sum + end - start, 0)
      const isBetter = best === undefined || hasOwn === best.hasOwn ? length > (best?.length ?? 0) : hasOwn
      if (isBetter)
        best = { part, spans: [beginningOf(quoted, part) ?? first, ...supporting], hasOwn, length }
    }
    return best && { part: best.part, spans: best.spans }
  }

  return (claim: Claim): ClaimLocation | undefined => {
    const quoted = quotedAt(claim)
    if (quoted !== undefined) return quoted
    sentences ??= parts.flatMap(sentencesIn)
    const closest = closestSentence(claim.claim, sentences)
    if (closest !== undefined) return { part: closest.part, spans: [closest.span] }
    const [first] = parts
    return first && { part: first, spans: [] }
  }
}

/** Where a quote begins: its number is behind its last sentence, and a reader wants to see the first. */
function beginningOf([first = '']: readonly string[], part: CitedPart): Span | undefined {
  const [sentence] = sentencesOf(first)
  return sentence === undefined ? undefined : part.find(sentence.text)
}

/** A quoted block in a part: the whole block, or those of its sentences that occur. */
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
