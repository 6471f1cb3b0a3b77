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
import { webAddress } from '../../kernel/uri.ts'
import { groupQuestions, type MinSimilarity } from './group-questions.ts'
import { presentDays, presentSurfaces, presentTotals, rateOf } from './present-counts.ts'
import { presentKnowledgeGap, presentTopQuestion } from './present-groups.ts'
import type { QuestionVectors } from './question-vectors.ts'
import { rangeBefore, readDayRange } from './utc-days.ts'

export { createQuestionVectors } from './question-vectors.ts'

export interface AnalyticsDeps {
  db: AnalyticsDb
  knowledgeBases: Pick<KnowledgeBases, 'open'>
  vectors: Pick<QuestionVectors, 'of'>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  now: () => Date
}

const limits = LIMITS.analytics

// Tuned on real questions that share a page: a gap is one topic with several aspects; a top question is one question.
const SAME_TOPIC: MinSimilarity = { meaning: 0.5, words: 0.3 }
const SAME_QUESTION: MinSimilarity = { meaning: 0.66, words: 0.5 }

/** What was asked in a base, and how well it was answered, for members with Config on it. */
export function createAnalytics({ db, knowledgeBases, vectors, addressOf, now }: AnalyticsDeps) {
  async function group(inRange: InRange, gaps: boolean, from: MinSimilarity, signal: AbortSignal) {
    const most = limits.groupedQuestions
    const found = await readQuestions(db, inRange, { gaps, most: most + 1 })
    const questions = found.slice(0, most)
    const { knowledgeBaseId } = inRange
    const grouped = await groupQuestions({ knowledgeBaseId, questions, from }, vectors, signal)
    return { ...grouped, count: questions.length, isAll: found.length <= most }
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
    const days = await readDays(db, inRange)
    const pages = await readCitedPages(db, inRange, {
      includeRestricted: mayReadAll,
      ofAnswers: limits.countedAnswers,
      most: limits.topPages,
    })
    const reports = await readReports(db, inRange, { includeRestricted: mayReadAll, most: limits.topPages })
    const deflection = await readDeflections(db, inRange)
    const top = await group(inRange, false, SAME_QUESTION, signal)
    const gaps = await group(inRange, true, SAME_TOPIC, signal)
    return {
      knowledge_base_id: base.id,
      from: range.days[0] ?? '',
      to: range.days.at(-1) ?? '',
      totals: presentTotals(await readTotals(db, inRange)),
      before: presentTotals(await readTotals(db, { ...inRange, ...rangeBefore(range) })),
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
        .map((group) => presentKnowledgeGap(group, mayReadAll)),
      bounds: {
        grouped_questions: top.count,
        all_questions: top.isAll,
        grouped_gaps: gaps.count,
        all_gaps: gaps.isAll,
        compared_by: top.comparedBy,
      },
    }
  }

  return { get }
}

export type Analytics = ReturnType<typeof createAnalytics>
