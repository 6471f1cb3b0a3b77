import type { TokenCounting } from '../../platform/embedding/token-counter.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import type { PreparedPassage } from './prepare-passages.ts'

/** A document to be cut into passages. */
export interface PreparingTask {
  document: ParsedDocument
  /** Of the base. */
  language: string | undefined
  counting: TokenCounting
  maxTokens: number
}

/** Passages come some at a time: a thread that takes a long document over at once would stand still meanwhile. */
export type PreparingAnswer =
  | { kind: 'passages'; passages: PreparedPassage[] }
  | { kind: 'done'; pageTerms: string }
  | { kind: 'failed'; reason: string }
