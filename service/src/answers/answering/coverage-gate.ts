import type { Passage } from '../../content/search/search.ts'
import { contentWordsOf } from '../citations/citations.ts'

/** What the gate looks at. All 0 to 1. */
export interface CoverageFeatures {
  /** Cosine of the passage nearest in meaning; undefined without an embedding model. */
  similarity: number | undefined
  /** Part of the question's content words in the one passage, among the first few, that holds most of them. */
  bestCoverage: number
  /** The same part in the first passage. */
  firstCoverage: number
}

export interface Coverage {
  features: CoverageFeatures
  /** 0 to 1: how likely the passages answer the question. */
  confidence: number
  isCovered: boolean
  /** So unlikely that no model need be asked. */
  isHopeless: boolean
}

const PASSAGES_LOOKED_AT = 5
// A little under even odds: to refuse what the pages do say costs a reader more than a quote that is beside the point.
const COVERED_FROM = 0.45
const HOPELESS_BELOW = 0.05

/**
 * Logistic weights, fitted on questions of real users about Ray, Airflow and Claude and on CLAP NQ, with unanswerable
 * ones among them; see docs/decisions. Rarity of words and the gap between scores were tried and added nothing.
 */
const HYBRID = { similarity: 18, bestCoverage: 4, firstCoverage: 0, constant: -12 }
const LEXICAL = { similarity: 0, bestCoverage: 3.7, firstCoverage: 4.8, constant: -4.6 }

export function coverageFeatures(query: string, passages: readonly Passage[]): CoverageFeatures {
  const words = [...new Set(contentWordsOf(query))]
  const coverages = passages.slice(0, PASSAGES_LOOKED_AT).map(({ title, headingPath, text }) => {
    const held = new Set(contentWordsOf([title, ...headingPath, text].join('\n')))
    return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length
  })
  const similarities = passages.flatMap(({ similarity }) => similarity ?? [])
  return {
    similarity: similarities.length === 0 ? undefined : Math.max(...similarities),
    bestCoverage: Math.max(0, ...coverages),
    firstCoverage: coverages[0] ?? 0,
  }
}

/** The one decision whether a question is covered by what was retrieved. */
export function judgeCoverage(features: CoverageFeatures): Coverage {
  const weights = features.similarity === undefined ? LEXICAL : HYBRID
  const sum =
    weights.similarity * (features.similarity ?? 0) +
    weights.bestCoverage * features.bestCoverage +
    weights.firstCoverage * features.firstCoverage +
    weights.constant
  const confidence = 1 / (1 + Math.exp(-sum))
  return {
    features,
    confidence,
    isCovered: confidence >= COVERED_FROM,
    isHopeless: confidence < HOPELESS_BELOW,
  }
}
