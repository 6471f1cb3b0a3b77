import type { Analytics as AnalyticsAnswer } from '@citewell/contract/analytics'
import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import {
  readCitedPages,
  readDays,
  readDeflections,
  readQuestions,
  readReports,
  readTotals,
  type AnalyticsDb,
  type InRange,
} from './analytics-store.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import { webAddress } from '../../kernel/uri.ts'
import { groupQuestions, type MinSimilarity, type QuestionGroup } from './group-questions.ts'
import { presentDays, presentSurfaces, presentTotals, rateOf } from './present-counts.ts'
import { presentKnowledgeGap, presentTopQuestion } from './present-groups.ts'
import type { QuestionVectors } from './question-vectors.ts'
import { rangeBefore, readDayRange, type DayRange } from './utc-days.ts'

export { createQuestionVectors, type QuestionVectors } from './question-vectors.ts'
export { opensThread, readQuestions, type AskedQuestion, type InRange } from './analytics-store.ts'
export { groupQuestions, type QuestionGroup } from './group-questions.ts'
export { presentKnowledgeGap } from './present-groups.ts'
export { rangeBefore, readDayRange } from './utc-days.ts'

/** Gaps that were found in a range, largest first, and how many questions they were found in. */
export interface FoundGaps {
  groups: readonly (QuestionGroup & { gap: { id: string; status: 'open' | 'resolved' | 'dismissed' } })[]
  count: number
  isAll: boolean
}

export interface AnalyticsDeps {
  db: AnalyticsDb
  knowledgeBases: Pick<KnowledgeBases, 'open'>
  vectors: Pick<QuestionVectors, 'of'>
  /** The knowledge gaps of a range: the room that keeps them finds them. */
  gapsIn: (inRange: InRange, signal: AbortSignal) => Promise<FoundGaps>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  now: () => Date
}

const limits = LIMITS.analytics

// Tuned on real questions that share a page: a gap is one topic with several aspects; a top question is one question.
export const SAME_TOPIC: MinSimilarity = { meaning: 0.5, words: 0.3 }
const SAME_QUESTION: MinSimilarity = { meaning: 0.66, words: 0.5 }

/** What was asked in a base, and how well it was answered, for members with Config on it. */
export function createAnalytics({ db, knowledgeBases, vectors, gapsIn, addressOf, now }: AnalyticsDeps) {
  async function groupAll(inRange: InRange, signal: AbortSignal) {
    const most = limits.groupedQuestions
    const found = await readQuestions(db, inRange, { gaps: false, most: most + 1 })
    const questions = found.slice(0, most)
    const { knowledgeBaseId } = inRange
    const grouped = await groupQuestions({ knowledgeBaseId, questions, from: SAME_QUESTION }, vectors, signal)
    return { ...grouped, count: questions.length, isAll: found.length <= most }
  }

  /** What is counted, at one moment: the days add up to the totals. */
  async function readFigures(range: DayRange, inRange: InRange, mayReadAll: boolean) {
    const { topPages: most, countedAnswers: ofAnswers } = limits
    return await inOneSnapshot(db, async (snapshot) => ({
      totals: await readTotals(snapshot, inRange),
      before: await readTotals(snapshot, { ...inRange, ...rangeBefore(range) }),
      days: await readDays(snapshot, inRange),
      pages: await readCitedPages(snapshot, inRange, { includeRestricted: mayReadAll, ofAnswers, most }),
      reports: await readReports(snapshot, inRange, { includeRestricted: mayReadAll, most }),
      deflection: await readDeflections(snapshot, inRange),
    }))
  }

  /** @throws Refusal BAD_REQUEST for a range that ends before it begins, or is too long */
  async function get(
    caller: Caller,
    knowledgeBaseId: string,
    given: { from: string | undefined; to: string | undefined },
    signal: AbortSignal,
  ): Promise<AnalyticsAnswer> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const mayReadAll = canUse(caller, base, 'chat')
    const range = readDayRange(given, now())
    const inRange = { knowledgeBaseId: base.id, from: range.from, before: range.before }
    const { totals, before, days, pages, reports, deflection } = await readFigures(range, inRange, mayReadAll)
    const top = await groupAll(inRange, signal)
    const gaps = await gapsIn(inRange, signal)
    return {
      knowledge_base_id: base.id,
      from: range.days[0] ?? '',
      to: range.days.at(-1) ?? '',
      totals: presentTotals(totals),
      before: presentTotals(before),
      surfaces: presentSurfaces(days),
      days: presentDays(range.days, days),
      top_questions: top.groups
        .slice(0, limits.topQuestions)
        .map((group) => presentTopQuestion(group, mayReadAll)),
      top_pages: pages.map((page) => ({
        ...page,
        url: addressOf({ url: page.url, documentId: page.document_id }),
      })),
      deflection: {
        ...deflection,
        deflection_rate: rateOf(deflection.deflected, deflection.deflected + deflection.submitted),
      },
      // An address in which personal data was masked may no longer be valid.
      reports: { ...reports, pages: reports.pages.filter(({ url }) => webAddress(url) !== undefined) },
      knowledge_gaps: gaps.groups
        .slice(0, limits.knowledgeGaps)
        .map((group) => ({ ...group.gap, ...presentKnowledgeGap(group, mayReadAll) })),
      bounds: {
        grouped_questions: top.count,
        all_questions: top.isAll,
        grouped_gaps: gaps.count,
        all_gaps: gaps.isAll,
        compared_by: top.comparedBy,
      },
    }
  }

  /** The counts of each day and surface with a question. @throws Refusal BAD_REQUEST as `get` */
  async function figuresByDay(
    caller: Caller,
    knowledgeBaseId: string,
    given: { from: string | undefined; to: string | undefined },
  ) {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const range = readDayRange(given, now())
    const days = await readDays(db, { knowledgeBaseId: base.id, from: range.from, before: range.before })
    return days
      .map((day) => ({ ...day, covered_rate: rateOf(day.finished - day.not_covered, day.finished) }))
      .toSorted((one, other) => one.day.localeCompare(other.day) || one.surface.localeCompare(other.surface))
  }

  return { get, figuresByDay }
}

export type Analytics = ReturnType<typeof createAnalytics>
