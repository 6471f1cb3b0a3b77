import type { ChunkPlace } from '../chunking/chunking.ts'

/** A passage that was found: what a citation needs of it, and how well it fits. */
export interface Passage {
  chunkId: string
  documentId: string
  sourceId: string
  ordinal: number
  title: string
  url: string
  anchor: string | undefined
  places: readonly ChunkPlace[]
  headingPath: string[]
  text: string
  /** The stored reading of the passage, written when it was indexed: see `content/reading/`. */
  reading?: string | undefined
  versionLabel: string | undefined
  /** 0 to 1: how well it fits, relative to this result; combined from all measures below. */
  score: number
  /** Cosine similarity to the question, if the passage has a vector and the question was embedded. */
  similarity: number | undefined
  /** Cosine similarity of its nearest sentence, if its sentences have vectors. */
  sentenceSimilarity: number | undefined
  /** Share of the question's words that it contains, 0 to 1; rare words count more. */
  coverage: number
  /** BM25 score of the passage, if its words matched. */
  lexicalScore: number | undefined
}

/** A passage that may hold the answer, with the results of each search method, before it is ranked. */
export interface Candidate extends Omit<Passage, 'score' | 'coverage'> {
  /** Analysed words of title, headings and text, in order, with one blank between them. */
  terms: string
  /** Rank, from 0, among the passages found by their words. */
  wordRank: number | undefined
  /** Rank, from 0, of its page among the pages found by their words. */
  pageWordRank: number | undefined
}
