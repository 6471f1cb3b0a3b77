import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { progressFailure } from '../../content/syncs/syncs.ts'
import type { BaseEvents } from './base-events.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const baseEventRoutes = ({
  baseEvents,
  knowledgeBases,
}: {
  baseEvents: Pick<BaseEvents, 'follow'>
  knowledgeBases: Pick<KnowledgeBases, 'open'>
}) => [
  endpoint(ENDPOINTS.followKnowledgeBase, async ({ caller, params, signal, requestId }) => {
    const { id } = await knowledgeBases.open(caller, params.id, 'member')
    return {
      frames: baseEvents.follow(id, signal),
      onError: (error) => progressFailure(error, requestId, 'knowledge base'),
    }
  }),
]
