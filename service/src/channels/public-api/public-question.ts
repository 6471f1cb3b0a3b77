import type { ChatBody, ThreadChatBody } from '@citewell/contract/chat'
import type { SurfaceName } from '@citewell/contract/surfaces'
import type { Question } from '../../answers/answering/answering.ts'
import type { Conversations } from '../../answers/conversations/conversations.ts'
import type { AskedBasesDb } from './asked-bases-store.ts'
import type { PublicCaller } from './public-caller.ts'
import { groupScope, groupsOfKey } from './request-scope.ts'
import { openWidget, voiceOf } from './widget-gate.ts'

export interface PublicQuestionsDeps {
  db: AskedBasesDb
  conversations: Pick<Conversations, 'ownThreadOrNone' | 'requireOwnThread'>
}

/** What someone outside asks, over whichever surface. */
export interface AskedOutside {
  /** `api` becomes `widget` where a widget is named. */
  surface: Extract<SurfaceName, 'api' | 'openai' | 'form_deflector'>
  query: string
  /** The reader as the caller names them. */
  userRef: string | undefined
  top_k: number
  group_ids?: readonly string[] | null | undefined
  widget_id?: string | undefined
}

/** The reader whom a body names: by id where there is one. */
export const userRefOf = (user: ChatBody['user']): string | undefined =>
  [user?.id, user?.email].find((name) => name !== undefined && name.trim() !== '')

/**
 * The way from a caller and what they ask to a question that may be answered: widget, groups, thread, in this order.
 * Restricted documents are never used here. Every public surface comes this way, so that none can forget a rule.
 */
export function createPublicQuestions({ db, conversations }: PublicQuestionsDeps) {
  /**
   * A question that begins a conversation.
   *
   * @throws Refusal NOT_FOUND, WIDGET_DISABLED or ORIGIN_NOT_ALLOWED by its widget, GROUP_NOT_ALLOWED
   */
  async function questionOf(caller: PublicCaller, asked: AskedOutside): Promise<Question> {
    const { base, clientKey, origin } = caller
    const widget = await openWidget(db, base.id, asked.widget_id, origin)
    const { surface, userRef } = asked
    return {
      knowledgeBaseId: base.id,
      knowledgeBaseName: base.name,
      query: asked.query,
      threadId: undefined,
      groupIds: await groupScope(db, base.id, groupsOfKey(clientKey), asked.group_ids),
      includeRestricted: false,
      topK: asked.top_k,
      voice: voiceOf(base, widget),
      asker: {
        surface: surface === 'api' && widget !== undefined ? 'widget' : surface,
        clientKeyId: clientKey.clientKeyId,
        userRef,
      },
    }
  }

  /** A chat body's question. A thread that is not the asker's begins a new conversation. */
  async function chatQuestion(caller: PublicCaller, body: ChatBody): Promise<Question> {
    const question = await questionOf(caller, { ...body, surface: 'api', userRef: userRefOf(body.user) })
    if (body.thread_id === undefined) return question
    const named = { ...question, threadId: body.thread_id }
    return { ...question, threadId: await conversations.ownThreadOrNone(named) }
  }

  /** A follow-up on a thread that the address names. @throws Refusal NOT_FOUND where it is not the asker's */
  async function threadQuestion(
    caller: PublicCaller,
    body: ThreadChatBody,
    threadId: string,
  ): Promise<Question> {
    const question = await questionOf(caller, { ...body, surface: 'api', userRef: undefined })
    return { ...question, threadId: await conversations.requireOwnThread({ ...question, threadId }) }
  }

  return { questionOf, chatQuestion, threadQuestion }
}

export type PublicQuestions = ReturnType<typeof createPublicQuestions>
