/** The features of the coverage gate. All 0 to 1. */
export interface CoverageFeatures {
  /** Cosine of the passage nearest in meaning; 0 without an embedding model, like the next two. */
  similarity: number
  /** Cosine of the sentence nearest in meaning. */
  sentence: number
  /** The average of this over the first passages: if a topic is covered, several passages mention it. */
  sentences: number
  /** Share of the question's words found in the best-matching passage among the first few; rare words weigh more. */
  coverage: number
  /** Share of the words of a section's heading that the question contains, the best of the first passages: "Backup", say. */
  heading: number
  /** Share of the names and numbers in the question that the first passages mention; 1 if it has none. */
  names: number
  /** Content words of the question, in twelfths: of a long question a smaller share occurs literally. */
  length: number
  /** How many pages were searched, on a logarithmic scale: among more pages, one is nearer to any question. */
  pages: number
}

/** More features, if question and passages were read together (`compare-passages.ts`): cosines, 0 to 1. */
export interface ComparedFeatures {
  /** How near the words of a passage are to those of the question, of the passage where they are nearest. */
  nearest: number
  /** The average of this over the first passages. */
  nearestMean: number
  /** How much of the question no passage names: rare words count more. */
  missing: number
}

export type CoverageWeights = CoverageFeatures & { constant: number }
