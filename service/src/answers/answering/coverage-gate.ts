import { meanOf } from '../../kernel/mean.ts'
import { MAX_PAGES_COUNTED, type SearchOutcome } from '../../content/search/search.ts'
import { contentWordsOf } from '../citations/citations.ts'
import type { ComparedPassages } from './compare-passages.ts'
import type { ComparedFeatures, CoverageFeatures } from './coverage-features.ts'
import { COVERAGE_WEIGHTS } from './coverage-weights.ts'
import { headingShare, sectionOf } from './heading-share.ts'

export interface Coverage {
  features: CoverageFeatures & Partial<ComparedFeatures>
  /** 0 to 1: how likely the passages answer the question. */
  confidence: number
  isCovered: boolean
  /** Likely enough that the nearest passages are of use to a reader whose question is refused. */
  isNear: boolean
}

const PASSAGES_CONSIDERED = 5
const HEADINGS_CONSIDERED = 3
const LONG_QUESTION_WORDS = 12
/** Below even odds: refusing a question that the pages answer costs a reader more than a quote that does not help. */
export const COVERED_FROM = 0.38
const NEAR_FROM = 0.1

/** Capitalized words within the question, and its numbers. The first word is capitalized because of its position. */
const NAMES = /(?=[\p{Lu}\p{N}])(?<=\S\s+)(?:\p{Lu}[\p{L}\p{N}.-]*|\p{N}[\p{N}.,:-]*)/gu

const partOf = (words: readonly string[], held: ReadonlySet<string>) =>
  words.length === 0 ? 1 : words.filter((word) => held.has(word)).length / words.length

const most = (values: readonly number[]) => Math.max(0, ...values)

export function coverageFeatures(
  query: string,
  { passages, pages }: Pick<SearchOutcome, 'passages' | 'pages'>,
): CoverageFeatures {
  const first = passages.slice(0, PASSAGES_CONSIDERED)
  const asked = new Set(contentWordsOf(query))
  const names = contentWordsOf([...query.matchAll(NAMES)].map(([name]) => name).join(' '))
  // Reading all words of the passages takes longer than the rest: most questions name nothing.
  const held = new Set(
    (names.length === 0 ? [] : first).flatMap(({ title, headingPath, text }) =>
      contentWordsOf([title, ...headingPath, text].join('\n')),
    ),
  )
  const nearest = ({ sentenceSimilarity, similarity }: SearchOutcome['passages'][number]) =>
    sentenceSimilarity ?? similarity ?? 0
  return {
    similarity: most(passages.map(({ similarity }) => similarity ?? 0)),
    sentence: most(passages.map(nearest)),
    sentences: meanOf(first.map(nearest)),
    coverage: most(first.map(({ coverage }) => coverage)),
    heading: most(
      passages.slice(0, HEADINGS_CONSIDERED).map((passage) => headingShare(sectionOf(passage), asked)),
    ),
    names: partOf(names, held),
    length: Math.min(1, asked.size / LONG_QUESTION_WORDS),
    pages: Math.log1p(pages) / Math.log1p(MAX_PAGES_COUNTED),
  }
}

/** The features of question and passages that were read together. */
export function comparedFeatures({
  nearest,
  missing,
}: Pick<ComparedPassages, 'nearest' | 'missing'>): ComparedFeatures {
  const first = nearest.slice(0, PASSAGES_CONSIDERED).map((value) => Math.max(0, value))
  return { nearest: most(first), nearestMean: meanOf(first), missing }
}

/** Weights of features that there may be. */
function weightsFor({ similarity, nearest }: Coverage['features']): Partial<Record<string, number>> {
  if (similarity === 0) return { ...COVERAGE_WEIGHTS.lexical }
  return nearest === undefined ? { ...COVERAGE_WEIGHTS.hybrid } : { ...COVERAGE_WEIGHTS.compared }
}

function confidenceOf(features: Coverage['features']): number {
  const { constant = 0, ...weights } = weightsFor(features)
  const sum = Object.entries(features).reduce(
    (all, [name, value]: [string, number]) => all + (weights[name] ?? 0) * value,
    constant,
  )
  return 1 / (1 + Math.exp(-sum))
}

/** The single decision on whether a question is covered by the retrieved passages. */
export function judgeCoverage(features: Coverage['features']): Coverage {
  const confidence = confidenceOf(features)
  // Who asks for a word that no page has may still want to see what is said of the rest.
  const { missing: _missing, ...named } = features
  return {
    features,
    confidence,
    isCovered: confidence >= COVERED_FROM,
    // Without a single word in common nothing is near, however long the question is.
    isNear: confidenceOf(named) >= NEAR_FROM && (features.similarity > 0 || features.coverage > 0),
  }
}
