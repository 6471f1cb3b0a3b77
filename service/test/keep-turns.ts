import type { SurfaceName } from '@citewell/contract/surfaces'
import { newId } from '../src/kernel/ids.ts'
import type { TestRooms } from './test-rooms.ts'

/** A question with its answer; omitted fields get usual values. */
export interface KeptTurn {
  at?: string
  query: string
  rewrittenQuery?: string
  answer?: string
  /** Ids of the documents that the answer cites. */
  cites?: string[]
  /** Ids of the documents that it used; if omitted, those that it cites. */
  drewOn?: string[]
  covered?: boolean
  stoppedBy?: string
  surface?: SurfaceName
  user?: string
  threadId?: string
  vote?: 'up' | 'down'
  comment?: string
  firstMs?: number
  totalMs?: number
  trace?: object
}

/** Stores turns as answering does, at given times. */
export function createTurnKeeper(rooms: Pick<TestRooms, 'clock' | 'conversations' | 'feedback'>) {
  const { conversations, feedback } = rooms

  return async (knowledgeBaseId: string, turn: KeptTurn) => {
    if (turn.at !== undefined) rooms.clock.time = new Date(turn.at)
    const surface = turn.surface ?? 'api'
    const ids = await conversations.storeTurn({
      question: {
        knowledgeBaseId,
        query: turn.query,
        threadId: turn.threadId,
        asker: { surface, clientKeyId: surface === 'team' ? undefined : newId(), userRef: turn.user },
        groupIds: undefined,
        includeRestricted: false,
      },
      rewrittenQuery: turn.rewrittenQuery,
      answer: turn.answer ?? 'Keys rotate daily [1].',
      citations: (turn.cites ?? []).map((documentId, place) => ({
        index: place + 1,
        title: 'Keys',
        url: 'https://docs.example.com/keys',
        document_id: documentId,
        chunk_id: newId(),
        heading_path: ['Rotation'],
        excerpt: 'Keys rotate daily.',
      })),
      covered: turn.covered ?? true,
      confidence: 0.8,
      stoppedBy: turn.stoppedBy,
      drewOn: turn.drewOn ?? turn.cites ?? [],
      trace: { firstMs: turn.firstMs, totalMs: turn.totalMs, ...turn.trace },
    })
    if (ids === undefined) throw new Error('the turn was not kept')
    if (turn.vote !== undefined) {
      await feedback.give(knowledgeBaseId, {
        messageId: ids.messageId,
        vote: turn.vote,
        comment: turn.comment,
      })
    }
    return { ...ids, feedback }
  }
}
