import { checkCitations, type CheckedAnswer, type Evidence } from '../../citations/citations.ts'
import type { Coverage } from '../coverage-gate.ts'
import { addressesIn, type AllowedAddresses } from '../evidence-addresses.ts'
import { keepToEvidence } from '../keep-to-evidence.ts'
import type { Writing } from '../writers.ts'

export interface FinalAnswer extends CheckedAnswer {
  covered: boolean
  /** 0 to 1. */
  confidence: number
}

const NOTHING_SAID = 'The documentation does not cover this question.'
const UNSUPPORTED = 'No page of the documentation was found that supports this answer.'

/** Models that say in their own words that they found nothing. */
const ADMITS =
  // bounded: at most 60 characters after each such word
  /\b(?:documentation|docs|excerpts?|pages?|sources?|context|provided information)\b[^.]{0,60}\b(?:(?:does|do|did)(?: not|n['’]t)|(?:is|are) not|no information)\b/i

/** Pictures may come from pages that are cited; from others they are taken out. */
const limitImages = (text: string, allowed: AllowedAddresses, cited: readonly Evidence[]) =>
  text.includes('![') ? keepToEvidence(text, { ...allowed, images: addressesIn(cited).images }) : text

/** What a model's answer is worth, once its citations have been checked. */
function judgeWritten(
  checked: CheckedAnswer,
  saysNotCovered: boolean,
  { confidence }: Coverage,
): FinalAnswer {
  if (saysNotCovered || (checked.cited.length === 0 && ADMITS.test(checked.text))) {
    const text = checked.text.trim() === '' ? NOTHING_SAID : checked.text
    return { ...checked, text, covered: false, confidence: Math.min(confidence, 0.2) }
  }
  if (checked.cited.length === 0) {
    const text = `${checked.text.trimEnd()}\n\n_${UNSUPPORTED}_`
    return { ...checked, text, covered: false, confidence: Math.min(confidence, 0.3) }
  }
  // Statements of the pages were found that answer: more than the gate could know.
  return { ...checked, covered: true, confidence: confidence + (1 - confidence) / 2 }
}

/**
 * Puts an answer in order: only what its pages allow, every `[n]` checked and renumbered, and what it is worth. One that
 * was cut off gets no words added.
 */
export function checkAnswer(
  text: string,
  evidence: readonly Evidence[],
  {
    writer,
    verdict,
    coverage,
    isWhole,
  }: Pick<Writing, 'writer' | 'verdict'> & { coverage: Coverage; isWhole: boolean },
): FinalAnswer {
  if (writer === 'nobody')
    return { text, cited: [], dropped: [], checks: [], covered: false, confidence: coverage.confidence }
  const allowed = addressesIn(evidence)
  const checked = checkCitations(keepToEvidence(text, allowed), evidence)
  const ids = new Set(checked.cited.map(({ document_id }) => document_id))
  const citedPages = evidence.filter(({ passages }) => passages.some(({ documentId }) => ids.has(documentId)))
  const shown = { ...checked, text: limitImages(checked.text, allowed, citedPages) }
  if (writer === 'model' && isWhole) return judgeWritten(shown, verdict.saysNotCovered, coverage)
  return { ...shown, covered: shown.cited.length > 0, confidence: coverage.confidence }
}
