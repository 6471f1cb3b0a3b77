import type { AskedDocument, Candidate } from './write-candidates.ts'

/** A question to offer, with the page that answers it. */
export interface ChosenQuestion {
  question: string
  documentId: string
}

/** Maximum number of searches to find questions that the base answers. */
const MAX_ATTEMPTS = 40

const STOP_WORDS = new Set(
  'a an and are can do does for from how i in into is it me my of on or should the there to use what which why with work'.split(
    ' ',
  ),
)

const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word))

/**
 * Picks the best questions that differ from each other in subject, section and wording, and that the base
 * actually answers. Deterministic.
 *
 * @param findAnswer - the page that search ranks first for a question, or `undefined`
 */
export async function chooseQuestions(
  candidates: readonly Candidate[],
  most: number,
  findAnswer: (question: string) => Promise<string | undefined>,
): Promise<ChosenQuestion[]> {
  const left = new Set(
    candidates.map((candidate) => ({ candidate, worth: candidate.worth, words: wordsOf(candidate.text) })),
  )
  const chosen: ChosenQuestion[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS && chosen.length < most; attempt += 1) {
    const best = bestOf(left)
    if (best === undefined) break
    left.delete(best)
    const { text, documents } = best.candidate
    const answeredBy = await findAnswer(text)
    const document = documents.find(({ documentId }) => documentId === answeredBy)
    if (document === undefined) continue
    chosen.push({ question: text, documentId: document.documentId })
    for (const other of left) other.worth -= overlap(other, best, document)
  }
  return chosen
}

interface Ranked {
  candidate: Candidate
  /** Its value next to those already chosen. */
  worth: number
  words: string[]
}

function bestOf(ranked: ReadonlySet<Ranked>): Ranked | undefined {
  let best: Ranked | undefined
  for (const one of ranked) {
    if (best === undefined || one.worth > best.worth) best = one
    else if (one.worth === best.worth && one.candidate.text < best.candidate.text) best = one
  }
  return best
}

/** How much a candidate repeats a chosen one, given the page that answers that one. */
function overlap(one: Ranked, chosen: Ranked, answeredBy: AskedDocument): number {
  const document = one.candidate.documents[0]
  if (document === undefined || document.documentId === answeredBy.documentId) return 1
  const shared = one.words.filter((word) => chosen.words.includes(word)).length
  return (
    shared * 0.15 +
    (openingOf(one.candidate.text) === openingOf(chosen.candidate.text) ? 0.1 : 0) +
    (sectionOf(document.url) === sectionOf(answeredBy.url) ? 0.1 : 0) +
    (document.sourceId === answeredBy.sourceId ? 0.05 : 0)
  )
}

/** "How do I use" */
const openingOf = (question: string) => question.split(' ', 4).join(' ').toLowerCase()

/** The folder of a page. */
const sectionOf = (url: string) => url.replace(/[?#][^]*/, '').replace(/\/[^/]*\/?$/, '')
