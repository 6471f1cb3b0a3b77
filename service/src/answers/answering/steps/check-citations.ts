import { checkCitations, type CheckedAnswer, type Evidence } from '../../citations/citations.ts'
import type { Coverage } from '../coverage-gate.ts'
import { addressesIn, type AllowedAddresses } from '../evidence-addresses.ts'
import type { OwnSentences } from '../own-sentences.ts'
import { sanitizeAnswerLinks } from '../sanitize-answer-links.ts'
import type { Writing } from '../writers.ts'
import type { AskContext } from './prepare-question.ts'

export interface FinalAnswer extends CheckedAnswer {
  covered: boolean
  /** 0 to 1. */
  confidence: number
}

/** Recognizes a model that says in its own words that it found nothing. */
const SAYS_NOT_COVERED =
  // bounded: at most 60 characters after each such word
  /\b(?:documentation|docs|excerpts?|pages?|sources?|context|provided information)\b[^.]{0,60}\b(?:(?:does|do|did)(?: not|n['’]t)|(?:is|are) not|no information)\b/i

/** Images may only come from cited pages; others are removed. */
const limitImages = (text: string, allowed: AllowedAddresses, cited: readonly Evidence[]) =>
  text.includes('![') ? sanitizeAnswerLinks(text, { ...allowed, images: addressesIn(cited).images }) : text

/** Judges coverage and confidence of a model's answer after its citations have been checked. */
function judgeWritten(
  checked: CheckedAnswer,
  saysNotCovered: boolean,
  { confidence }: Coverage,
  sentences: OwnSentences,
): FinalAnswer {
  if (saysNotCovered || (checked.cited.length === 0 && SAYS_NOT_COVERED.test(checked.text))) {
    const text = checked.text.trim() === '' ? sentences.notCovered : checked.text
    return { ...checked, text, covered: false, confidence: Math.min(confidence, 0.2) }
  }
  if (checked.cited.length === 0) {
    const text = `${checked.text.trimEnd()}\n\n_${sentences.unsupported}_`
    return { ...checked, text, covered: false, confidence: Math.min(confidence, 0.3) }
  }
  // The answer cites statements that support it, which the gate could not know.
  return { ...checked, covered: true, confidence: confidence + (1 - confidence) / 2 }
}

interface WrittenAnswer extends Omit<Writing, 'pieces' | 'messages'> {
  text: string
  /** False if the answer was cut off: no text is added to it then. */
  isWhole: boolean
}

/** Finalizes an answer: sanitizes links, checks and renumbers every `[n]`, and judges coverage and confidence. */
export function checkAnswer(
  written: WrittenAnswer,
  evidence: readonly Evidence[],
  { masking }: Pick<AskContext, 'masking'>,
): FinalAnswer {
  const checked = checkText(written, evidence)
  // Quotes are text of the pages. In a model's answer, removing a part may join two pieces of a name: mask it once more.
  return written.writer === 'model'
    ? { ...checked, text: masking.maskAnswer(checked.text, written.publicTexts) }
    : checked
}

function checkText(
  { text, writer, verdict, sentences, coverage, isWhole }: WrittenAnswer,
  evidence: readonly Evidence[],
): FinalAnswer {
  const allowed = addressesIn(evidence)
  const checked = checkCitations(sanitizeAnswerLinks(text, allowed), evidence)
  const ids = new Set(checked.cited.map(({ document_id }) => document_id))
  const citedPages = evidence.filter(({ passages }) => passages.some(({ documentId }) => ids.has(documentId)))
  const shown = { ...checked, text: limitImages(checked.text, allowed, citedPages) }
  if (writer === 'model' && isWhole) return judgeWritten(shown, verdict.saysNotCovered, coverage, sentences)
  const covered = writer !== 'nobody' && shown.cited.length > 0
  return { ...shown, covered, confidence: coverage.confidence }
}
