/** What the gate looks at. All 0 to 1. */
export interface CoverageFeatures {
  /** Cosine of the passage nearest in meaning; 0 without an embedding model, as the next two. */
  similarity: number
  /** Cosine of the sentence nearest in meaning. */
  sentence: number
  /** The same of the first passages, on average: where a topic is covered, several speak of it. */
  sentences: number
  /** Part of the question's words in the passage, among the first few, that holds most of them; rare ones count more. */
  coverage: number
  /** The same part in the first passage. */
  firstCoverage: number
  /** Part of the names and numbers of the question that the first passages mention; 1 where it has none. */
  names: number
  /** Words of the question that carry meaning, in twelfths: of a long one less is said word for word. */
  length: number
}

export type CoverageWeights = CoverageFeatures & { constant: number }
