import { createAnalytics, createQuestionVectors } from '../answers/analytics/analytics.ts'
import {
  createConversations,
  createOwnConversations,
  createStoredConversations,
  type Conversations,
} from '../answers/conversations/conversations.ts'
import {
  createEvaluationRuns,
  createEvaluationSet,
  createHeldSyncsMeasuring,
} from '../answers/evaluation/evaluation.ts'
import { createExports } from '../answers/exports/exports.ts'
import { createFeedback } from '../answers/feedback/feedback.ts'
import { createKnowledgeGaps } from '../answers/knowledge-gaps/knowledge-gaps.ts'
import { createMcpFeedback } from '../answers/mcp-feedback/mcp-feedback.ts'
import {
  createPrivateSearch,
  createQuestionSettings,
} from '../answers/question-settings/question-settings.ts'
import { createRetention } from '../answers/retention/retention.ts'
import {
  createSuggestedQuestions,
  refreshQuestionsOnChange,
} from '../answers/suggested-questions/suggested-questions.ts'
import { createTraces } from '../answers/traces/traces.ts'
import { keptApprovals } from '../channels/approvals/approvals.ts'
import { keptSimulations } from '../channels/simulations/simulations.ts'
import { findGroups } from '../content/source-groups/source-groups.ts'
import { newTicketId } from '../kernel/ids.ts'
import type { AccountRooms } from './compose-accounts.ts'
import { composeAnswering } from './compose-answering.ts'
import type { ContentRooms } from './compose-content.ts'
import type { WebhookSending } from './compose-webhooks.ts'
import type { RoomParts } from './room-parts.ts'

/** What is said: answering, conversations, and what a team sees of them. */
export function composeAnswers(
  parts: RoomParts,
  accounts: AccountRooms,
  content: ContentRooms,
  { alsoStore }: { alsoStore: WebhookSending['onAnswerKept'] },
) {
  const { db, now, newId, log, platform, stopping } = parts
  const { events, embedder } = platform
  const { knowledgeBases } = accounts
  const { addressOf } = content.addresses
  const common = { db, newId, now }
  const conversations = createConversations({ db, events, now, newTicketId, alsoStore })
  const questionSettings = createQuestionSettings({ db })
  const suggestedQuestions = createSuggestedQuestions({ db, search: content.ownSearch, now, stopping })
  refreshQuestionsOnChange(events, suggestedQuestions, stopping)
  const answeringWith = (used: Conversations) =>
    composeAnswering(parts, { ...accounts, ...content, questionSettings, conversations: used })
  const answering = answeringWith(conversations)
  const vectors = createQuestionVectors({
    db,
    embedder,
    report: (error, activity) => log.warn({ err: error }, `${activity} failed`),
  })
  const traces = createTraces({
    db,
    knowledgeBases,
    addressOf,
    findGroups: (knowledgeBaseId, groupIds) => findGroups(db, knowledgeBaseId, groupIds),
    answerUnstored: answering.answerUnstored,
  })
  const knowledgeGaps = createKnowledgeGaps({ ...common, knowledgeBases, vectors, traces, addressOf })
  const { gapsIn } = knowledgeGaps
  const analytics = createAnalytics({ db, now, knowledgeBases, addressOf, vectors, gapsIn })
  const storedConversations = createStoredConversations({
    db,
    knowledgeBases,
    addressOf,
    pseudonymOf: platform.pseudonymOf,
  })
  /** For what readers type: masked, and not stored, as the settings of their base say. */
  const search = createPrivateSearch({ search: content.ownSearch, settings: questionSettings })
  const ofEvaluation = { ...common, knowledgeBases, addressOf }
  return {
    answering,
    /** For simulations, where nobody asks: no conversation is stored, and none is announced. */
    unstoredAnswering: answeringWith({ ...conversations, storeTurn: () => Promise.resolve(undefined) }),
    conversations,
    storedConversations,
    ownConversations: createOwnConversations({ db, knowledgeBases, now }),
    questionSettings,
    search,
    feedback: createFeedback({ ...common, knowledgeBases, conversations, mask: questionSettings.mask }),
    reports: createMcpFeedback({ ...common, knowledgeBases, mask: questionSettings.mask }),
    suggestedQuestions,
    retention: createRetention({
      db,
      pseudonymOf: platform.pseudonymOf,
      alsoPurged: [keptApprovals, keptSimulations],
    }),
    traces,
    analytics,
    knowledgeGaps,
    evaluationSet: createEvaluationSet(ofEvaluation),
    evaluationRuns: createEvaluationRuns({
      ...ofEvaluation,
      jobs: platform.jobs,
      answerUnstored: answering.answerUnstored,
      report: parts.report,
    }),
    heldSyncs: createHeldSyncsMeasuring({
      db,
      log,
      events,
      search,
      syncHolds: content.syncHolds,
      jobs: platform.jobs,
    }),
    exports: createExports({ conversations: storedConversations, analytics }),
    /** About how many tokens a language model would read. Not by the embedder's tokenizer, which caches words. */
    countTokens: (text: string) => Math.ceil(text.length / 4),
  }
}

export type AnswerRooms = ReturnType<typeof composeAnswers>
