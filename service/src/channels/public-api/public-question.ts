import type { ChatBody, ThreadChatBody } from '@citewell/contract/chat'
import type { SurfaceName } from '@citewell/contract/surfaces'
import { createQuestion, type Question } from '../../answers/answering/answering.ts'
import type { Conversations } from '../../answers/conversations/conversations.ts'
import type { AskedBasesDb } from './asked-bases-store.ts'
import type { PublicCaller } from './public-caller.ts'
import { groupScope, groupsOfKey } from './request-scope.ts'
import { openWidget, voiceIn } from './widget-gate.ts'

export interface PublicQuestionsDeps {
  db: AskedBasesDb
  conversations: Pick<Conversations, 'ownThreadOrNone' | 'requireOwnThread'>
}

/** A question of an anonymous reader, over any surface. */
export interface AnonymousQuestion {
  /** `api` becomes `widget` if a widget is named. */
  surface: Extract<SurfaceName, 'api' | 'openai' | 'form_deflector'>
  query: string
  /** The caller's name for the reader. */
  userRef: string | undefined
  top_k: number
  group_ids?: readonly string[] | null | undefined
  widget_id?: string | undefined
}

/** The name of the reader in a body: the id, else the e-mail. Without the space around it, which no filter and no purge is sent with. */
export const userRefOf = (user: ChatBody['user']): string | undefined =>
  [user?.id, user?.email].map((name) => name?.trim()).find((name) => name !== undefined && name !== '')

/**
 * Turns a caller and a request into a question that may be answered, checking widget, groups and thread, in this order. Restricted
 * documents are never used here. Every public surface uses this, so that none can omit a rule.
 */
export function createPublicQuestions({ db, conversations }: PublicQuestionsDeps) {
  /**
   * A question that starts a conversation.
   *
   * @throws Refusal NOT_FOUND, WIDGET_DISABLED or ORIGIN_NOT_ALLOWED for its widget, GROUP_NOT_ALLOWED
   */
  async function questionOf(caller: PublicCaller, asked: AnonymousQuestion): Promise<Question> {
    const { base, clientKey, origin } = caller
    const widget = await openWidget(db, base.id, asked.widget_id, origin)
    const { surface, userRef } = asked
    return createQuestion(base, {
      query: asked.query,
      acceptLanguage: caller.acceptLanguage,
      groupIds: await groupScope(db, base.id, groupsOfKey(clientKey), asked.group_ids),
      includeRestricted: false,
      topK: asked.top_k,
      voice: voiceIn(base, widget),
      asker: {
        surface: surface === 'api' && widget !== undefined ? 'widget' : surface,
        clientKeyId: clientKey.clientKeyId,
        userRef,
      },
    })
  }

  /** The question of a chat body. A thread of another caller is ignored, and a new conversation starts. */
  async function chatQuestion(caller: PublicCaller, body: ChatBody): Promise<Question> {
    const question = await questionOf(caller, { ...body, surface: 'api', userRef: userRefOf(body.user) })
    if (body.thread_id === undefined) return question
    const named = { ...question, threadId: body.thread_id }
    return { ...question, threadId: await conversations.ownThreadOrNone(named) }
  }

  /** A follow-up in the thread of the address. @throws Refusal NOT_FOUND if the thread belongs to another caller */
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
