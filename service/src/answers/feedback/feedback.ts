import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Conversations } from '../conversations/conversations.ts'
import { deleteVote, listVotes, saveVote, type RatedQuestion } from './feedback-store.ts'
import type { FeedbackRecord } from './present-feedback.ts'

export { presentFeedback } from './present-feedback.ts'

export interface GivenFeedback {
  messageId: string
  vote: 'up' | 'down'
  comment: string | undefined
}

export interface FeedbackDeps {
  db: Db<'feedback' | 'messages' | 'knowledge_bases' | 'workspaces'>
  conversations: Pick<Conversations, 'originOfMessage' | 'isMessageOf'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** Masks personal data in a reader's comment by the settings of the base. */
  mask: (knowledgeBaseId: string, text: string) => Promise<string>
  now: () => Date
  newId: () => string
}

export function createFeedback({ db, conversations, knowledgeBases, mask, now, newId }: FeedbackDeps) {
  const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such message.' })

  async function originFor(knowledgeBaseId: string, messageId: string) {
    if (!isUuid(messageId)) throw new Refusal('BAD_REQUEST', { because: 'The message id is not a valid id.' })
    const origin = await conversations.originOfMessage(messageId)
    if (origin === undefined) throw notFound()
    if (origin.knowledgeBaseId !== knowledgeBaseId)
      throw new Refusal('FORBIDDEN', { because: 'This message belongs to another knowledge base.' })
    return origin
  }

  /**
   * Rates an answer; a second rating replaces the first.
   *
   * @throws Refusal BAD_REQUEST for a malformed id, NOT_FOUND for an unknown message and under zero retention, FORBIDDEN for a message
   * of another base.
   */
  async function give(knowledgeBaseId: string, given: GivenFeedback): Promise<FeedbackRecord> {
    const origin = await originFor(knowledgeBaseId, given.messageId)
    const comment = given.comment === undefined ? null : await mask(knowledgeBaseId, given.comment)
    const saved = await saveVote(db, {
      id: newId(),
      knowledge_base_id: knowledgeBaseId,
      message_id: given.messageId,
      vote: given.vote,
      comment,
      source: origin.surface,
      created_at: now(),
      updated_at: now(),
    })
    // What was kept before the switch stays until it is purged, but nothing is added to it.
    if (saved === undefined) throw notFound()
    return {
      id: saved.id,
      workspaceId: origin.workspaceId,
      messageId: saved.message_id,
      vote: saved.vote,
      comment: saved.comment ?? undefined,
      source: saved.source,
      createdAt: saved.created_at,
      updatedAt: saved.updated_at,
    }
  }

  /** Withdraws a rating; does nothing if there is none. Refuses like `give`. */
  async function withdraw(knowledgeBaseId: string, messageId: string): Promise<void> {
    await originFor(knowledgeBaseId, messageId)
    await deleteVote(db, knowledgeBaseId, messageId)
  }

  /** The base of an answer that this member got, if they may still chat in it. */
  async function ownBaseOf(caller: Caller, messageId: string): Promise<string> {
    const origin = await conversations.originOfMessage(messageId)
    if (origin === undefined) throw notFound()
    const { id } = await knowledgeBases.openActive(caller, origin.knowledgeBaseId, 'chat')
    const isOwn = await conversations.isMessageOf({ knowledgeBaseId: id, messageId, userId: caller.userId })
    if (!isOwn) throw notFound()
    return id
  }

  /**
   * Rates an answer that this member got.
   *
   * @throws Refusal NOT_FOUND for an answer to anyone else, FORBIDDEN without the permission to chat, KNOWLEDGE_BASE_ARCHIVED
   */
  async function giveAsMember(caller: Caller, given: GivenFeedback): Promise<FeedbackRecord> {
    return await give(await ownBaseOf(caller, given.messageId), given)
  }

  /** Withdraws the rating of an answer that this member got. Refuses like `giveAsMember`. */
  async function withdrawAsMember(caller: Caller, messageId: string): Promise<void> {
    await deleteVote(db, await ownBaseOf(caller, messageId), messageId)
  }

  /** The ratings of a base and its workspace, for members with Config on it. */
  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    of: Omit<Parameters<typeof listVotes>[1], 'knowledgeBaseId'>,
  ): Promise<{ workspaceId: string; ratings: RatedQuestion[] }> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    const ratings = await listVotes(db, { ...of, knowledgeBaseId: base.id })
    return { workspaceId: base.workspace_id, ratings }
  }

  return { give, withdraw, giveAsMember, withdrawAsMember, list }
}

export type Feedback = ReturnType<typeof createFeedback>
