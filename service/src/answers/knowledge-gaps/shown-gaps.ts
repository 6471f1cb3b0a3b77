import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { QuestionGroup } from '../analytics/analytics.ts'
import type { ClosestPage } from './closest-pages.ts'
import type { FoundGap } from './find-gaps.ts'
import type { GapRow, ShownMember } from './knowledge-gaps-store.ts'

/** A gap of a list, with how often it was asked before the range. */
export interface ListedGap extends FoundGap {
  countBefore: number
}

/** A gap with its questions of any time. */
export interface WholeGap {
  base: KnowledgeBaseRow
  mayReadAll: boolean
  gap: GapRow
  /** Its questions, the most central of them first. */
  group: QuestionGroup
  members: ShownMember[]
  pages: ClosestPage[]
}
