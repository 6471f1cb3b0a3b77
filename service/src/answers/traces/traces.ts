import type { AnswerSteps, Replay, Trace, TryQuestion } from '@citewell/contract/traces'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createQuestion, type AnsweredTurn, type Question } from '../answering/answering.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { pagesReadableBy } from '../conversations/conversations.ts'
import { compareAnswers } from './compare-answers.ts'
import { presentSteps } from './present-trace.ts'
import { documentsOf, tracedMessage, tracedTurn } from './traced-answer.ts'
import { withTried, type TriedSettings } from './tried-question.ts'
import {
  findTracedMessage,
  listTracedMessages,
  type ListedMessage,
  type TracedMessage,
  type TracesDb,
} from './traces-store.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'

export interface TracesDeps {
  db: TracesDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  /** Those of the ids that are source groups of the base. */
  findGroups: (knowledgeBaseId: string, groupIds: readonly string[]) => Promise<Set<string>>
  /** Answers without storing, counting or announcing anything. */
  answerUnstored: (question: Question, signal: AbortSignal) => Promise<AnsweredTurn>
}

/** How answers were produced, for members with Config on their base. */
export function createTraces({ db, knowledgeBases, addressOf, findGroups, answerUnstored }: TracesDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'messages', noun: 'message' })

  async function messageIn(base: KnowledgeBaseRow, messageId: string): Promise<TracedMessage> {
    const message = await findTracedMessage(db, base.id, messageId)
    if (message === undefined) throw bases.notFound()
    return message
  }

  async function get(caller: Caller, messageId: string): Promise<Trace> {
    const base = await bases.open(caller, messageId, 'config')
    const message = await messageIn(base, messageId)
    const answer = tracedMessage(message, addressOf)
    const mayRead = await pagesReadableBy(db, caller, base, documentsOf(answer))
    return {
      id: message.id,
      created_at: message.created_at.toISOString(),
      updated_at: message.updated_at.toISOString(),
      message_id: message.id,
      conversation_id: message.thread_id,
      knowledge_base_id: base.id,
      ...presentSteps(answer, mayRead),
    }
  }

  /**
   * The question as it would be asked now, without its asker, who must not be revealed. The style is the current one of the base; for
   * a question in a widget, the one that the widget had at that time.
   */
  function replayedQuestion(base: KnowledgeBaseRow, message: TracedMessage): Question {
    const { asked, earlier } = tracedMessage(message, addressOf).trace
    return createQuestion(base, {
      query: message.query,
      earlier,
      groupIds: asked.groupIds,
      sourceIds: asked.sourceIds,
      includeRestricted: asked.includeRestricted,
      topK: asked.topK,
      ...(message.surface === 'widget' && { voice: asked.voice }),
      // Asked as the team, so that no revoked key ends the answer.
      asker: { surface: 'team', clientKeyId: undefined, userRef: undefined },
    })
  }

  /**
   * Asks a question again as it was asked, and tells whether it is covered now; undefined if it searched restricted pages, and the caller
   * has no Chat. Nothing is stored.
   *
   * @param base active, and open to the caller with Config
   * @throws Refusal NOT_FOUND for a message that is not of this base; UNAVAILABLE if the answer failed
   */
  async function isCoveredNow(
    caller: Caller,
    base: KnowledgeBaseRow,
    messageId: string,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const question = replayedQuestion(base, await messageIn(base, messageId))
    if (question.includeRestricted && !canUse(caller, base, 'chat')) return undefined
    return (await answerUnstored(question, signal)).covered
  }

  /** The questions of a base that have a trace, newest first. */
  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    of: Omit<Parameters<typeof listTracedMessages>[1], 'knowledgeBaseId'>,
  ): Promise<ListedMessage[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await listTracedMessages(db, { ...of, knowledgeBaseId: base.id })
  }

  /**
   * Replays a question, with settings that may be tried, and returns the differences.
   *
   * @throws Refusal FORBIDDEN for a question that searched restricted pages, if the caller has no Chat; UNAVAILABLE if it failed
   */
  async function replay(
    caller: Caller,
    messageId: string,
    given: TriedSettings,
    signal: AbortSignal,
  ): Promise<Replay> {
    const base = await bases.openActive(caller, messageId, 'config')
    const message = await messageIn(base, messageId)
    const question = await withTried(replayedQuestion(base, message), given, findGroups)
    if (question.includeRestricted && !canUse(caller, base, 'chat')) throw new Refusal('FORBIDDEN')
    const then = tracedMessage(message, addressOf)
    const now = tracedTurn(await answerUnstored(question, signal))
    const mayRead = await pagesReadableBy(db, caller, base, [...documentsOf(then), ...documentsOf(now)])
    const [before, after] = [presentSteps(then, mayRead), presentSteps(now, mayRead)]
    return { message_id: message.id, before, after, differences: compareAnswers(before, after) }
  }

  /**
   * Answers a question with settings that may be tried, as a member's question would be. Nothing is stored or counted.
   *
   * @throws Refusal FORBIDDEN, KNOWLEDGE_BASE_ARCHIVED, GROUP_NOT_ALLOWED; UNAVAILABLE if it failed
   */
  async function tryQuestion(
    caller: Caller,
    knowledgeBaseId: string,
    { query, include_restricted: wantsRestricted = true, ...given }: TryQuestion,
    signal: AbortSignal,
  ): Promise<AnswerSteps> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const asked = createQuestion(base, {
      query,
      includeRestricted: wantsRestricted && canUse(caller, base, 'chat'),
      asker: { surface: 'team', clientKeyId: undefined, userRef: undefined },
    })
    const answer = tracedTurn(await answerUnstored(await withTried(asked, given, findGroups), signal))
    return presentSteps(answer, await pagesReadableBy(db, caller, base, documentsOf(answer)))
  }

  return { list, get, replay, isCoveredNow, tryQuestion }
}

export type Traces = ReturnType<typeof createTraces>
