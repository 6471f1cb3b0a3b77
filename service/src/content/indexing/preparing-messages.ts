import type { TokenCounting } from '../../platform/embedding/token-counter.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import type { PreparedPassage } from './prepare-passages.ts'

/** A document to be divided into passages. */
export interface PreparingTask {
  document: ParsedDocument
  /** Language of the base. */
  language: string | undefined
  counting: TokenCounting
  maxTokens: number
}

/** Passages are sent in batches: receiving a long document in one message would block the receiving thread. */
export type PreparingAnswer =
  | { kind: 'passages'; passages: PreparedPassage[] }
  | { kind: 'done'; pageTerms: string }
  | { kind: 'failed'; reason: string }
