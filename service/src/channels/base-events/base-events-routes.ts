import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { wouldBeLetIn, type Caller } from '../../accounts/permissions/permissions.ts'
import { progressFailure } from '../../content/syncs/syncs.ts'
import { endpointsFor, type Gate } from '../../platform/http/endpoint.ts'
import type { BaseEvents } from './base-events.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const baseEventRoutes = ({
  baseEvents,
  knowledgeBases,
  authenticate,
}: {
  baseEvents: Pick<BaseEvents, 'follow'>
  knowledgeBases: Pick<KnowledgeBases, 'open'>
  /** The gate of these endpoints: a stream outlives the look at its caller. */
  authenticate: Gate<Caller>
}) => [
  endpoint(ENDPOINTS.followKnowledgeBase, async (asked) => {
    const { caller, params, signal, requestId } = asked
    const { id } = await knowledgeBases.open(caller, params.id, 'member')
    const isStillAllowed = () =>
      wouldBeLetIn(async () => {
        const now = await authenticate({ ...asked, endpoint: ENDPOINTS.followKnowledgeBase })
        await knowledgeBases.open(now, id, 'member')
      })
    return {
      frames: baseEvents.follow(id, { personId: caller.userId, isStillAllowed, signal }),
      onError: (error) => progressFailure(error, requestId, 'knowledge base'),
    }
  }),
]
