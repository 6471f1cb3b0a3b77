import type { Events } from '../../platform/events/events.ts'
import type { IntegrationRow } from '../integrations/integrations.ts'
import type { PlatformPostsDb, PostDriver, PostEnd } from '../platform-posts/platform-posts.ts'
import type { DrivenTickets } from '../tickets/tickets.ts'
import { DeskPost } from './desk-incoming.ts'
import type { DeskAccount, HelpDesk } from './help-desk.ts'

export interface DeskPostingDeps {
  tickets: Pick<DrivenTickets, 'confirmPosted' | 'confirmFailed' | 'decideAgain' | 'note'>
  deskOf: (integration: IntegrationRow) => HelpDesk | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => DeskAccount
  events: Pick<Events, 'announce'>
  /** Looks for tickets that are due, now and after this time. */
  wakeAfter: (ms: number) => void
  now: () => Date
}

/** What a post that was not confirmed is given before it is looked for. */
const LOOK_AFTER_MS = 2_000

/** How posts reach the help desks, and what follows for the ticket in the transaction that stores their end. */
export function createDeskPosting({ tickets, deskOf, accountOf, events, wakeAfter, now }: DeskPostingDeps) {
  async function endReply(
    transaction: PlatformPostsDb,
    of: { knowledgeBaseId: string; integrationId: string; ticketId: string },
    handles: 'tickets' | 'chats',
    end: PostEnd,
  ): Promise<void> {
    if (end === 'posted') return await tickets.confirmPosted(transaction, of)
    if (end === 'failed') return await tickets.confirmFailed(transaction, of, handles, 'open')
    if (end === 'stale') return await tickets.decideAgain(transaction, of, handles)
    const dueAt = new Date(now().getTime() + LOOK_AFTER_MS)
    await tickets.note(transaction, of, { status: 'unsure', due_at: dueAt })
  }

  return (integration: IntegrationRow): PostDriver | undefined => {
    const desk = deskOf(integration)
    if (desk === undefined) return undefined
    return {
      spacingOf: () => desk.spacingMs,
      send: async (row, body, signal) => {
        const { ticketId, act, etag } = DeskPost.parse(body)
        if (act.do === 'open')
          return (
            (await desk.open?.(act, accountOf(row, signal))) ?? {
              is: 'failed',
              because: 'No ticket can be opened there.',
            }
          )
        return await desk.post(ticketId, act, etag, accountOf(row, signal))
      },
      ended: async (transaction, row, body, end) => {
        const post = DeskPost.safeParse(body).data
        // What was opened has no ticket yet that waits for it.
        if (post === undefined || post.act.do === 'open') return undefined
        const of = { knowledgeBaseId: row.knowledge_base_id, integrationId: row.id, ticketId: post.ticketId }
        if (post.act.do === 'reply') await endReply(transaction, of, row.handles ?? 'tickets', end)
        if (post.act.do === 'note' && end === 'stale')
          await tickets.decideAgain(transaction, of, row.handles ?? 'tickets')
        else if (post.act.do === 'note')
          await tickets.note(transaction, of, { status: end === 'failed' ? 'open' : 'drafted' })
        return () => {
          events.announce('webhooks.recorded', { knowledgeBaseId: of.knowledgeBaseId })
          wakeAfter(end === 'unknown' ? LOOK_AFTER_MS : 0)
        }
      },
    }
  }
}
