import type { Passage, SearchOutcome } from '../../../content/search/search.ts'
import { citationOf, type Citation, type Evidence } from '../../citations/citations.ts'
import type { ComparedPassages } from '../compare-passages.ts'
import { comparedFeatures, coverageFeatures, judgeCoverage, type Coverage } from '../coverage-gate.ts'

export interface ChooseDeps {
  countTokens: (text: string) => number
}

/** Token budget of all evidence together. Leaves room for rules, question and answer in a context of 8,000. */
const EVIDENCE_TOKENS = 4_000
const MAX_PASSAGES_OF_PAGE = 4
/** Maximum of neighbouring passages that are shown as one piece. */
const MAX_NEIGHBOURS = 3

/** The best passages that fit the token budget, at most a few from one page. */
function withinBudget(passages: readonly Passage[], countTokens: (text: string) => number): Passage[] {
  const perPage = new Map<string, number>()
  const chosen: Passage[] = []
  let left = EVIDENCE_TOKENS
  for (const passage of passages) {
    const ofPage = perPage.get(passage.documentId) ?? 0
    const tokens = countTokens(passage.text)
    // The best one is always included: a page may consist of a single passage longer than the budget.
    if (ofPage >= MAX_PASSAGES_OF_PAGE || (tokens > left && chosen.length > 0)) continue
    perPage.set(passage.documentId, ofPage + 1)
    left -= tokens
    chosen.push(passage)
  }
  return chosen
}

const areNeighbours = (left: Passage, right: Passage) =>
  left.documentId === right.documentId && Math.abs(left.ordinal - right.ordinal) === 1

/** Joins consecutive passages of a page; each piece has the rank of its best passage. */
function mergeNeighbours(passages: readonly Passage[]): Evidence[] {
  const pieces: { passages: Passage[] }[] = []
  for (const passage of passages) {
    const piece = pieces.find(
      ({ passages: run }) =>
        run.length < MAX_NEIGHBOURS && run.some((member) => areNeighbours(member, passage)),
    )
    if (piece === undefined) pieces.push({ passages: [passage] })
    else piece.passages.push(passage)
  }
  for (const { passages: run } of pieces) run.sort((left, right) => left.ordinal - right.ordinal)
  return pieces
}

/** The citations that a reader sees while the answer is written: the best passage under each number, at the part
 * that is nearest to the query. */
export function citationsFound(evidence: readonly Evidence[], query: string): Citation[] {
  return evidence.flatMap(({ passages }, index) => {
    const [best] = passages.toSorted((left, right) => right.score - left.score)
    return best === undefined ? [] : [citationOf(best, index + 1, [query])]
  })
}

/** Decides whether the question is covered by the found passages, and which of them the writer gets. */
export function chooseEvidence(
  query: string,
  retrieved: Pick<SearchOutcome, 'passages' | 'pages'>,
  { countTokens }: ChooseDeps,
  compared?: ComparedPassages,
): { evidence: Evidence[]; coverage: Coverage } {
  return {
    evidence: mergeNeighbours(withinBudget(retrieved.passages, countTokens)),
    coverage: judgeCoverage({
      ...coverageFeatures(query, retrieved),
      ...(compared && comparedFeatures(compared)),
    }),
  }
}
