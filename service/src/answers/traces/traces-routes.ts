import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { ListedTrace } from '@citewell/contract/listed-traces'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { pageWith } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { cursorOf, readCursor } from '../conversations/conversations.ts'
import type { ListedMessage } from './traces-store.ts'
import type { Traces } from './traces.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentListed = (row: ListedMessage): ListedTrace => ({
  message_id: row.id,
  conversation_id: row.thread_id,
  // Written by us, from the closed list.
  surface: row.surface as ListedTrace['surface'],
  query: row.query,
  covered: row.stopped_by === null ? row.covered : null,
  confidence: row.confidence,
  vote: row.vote,
  stopped_by: row.stopped_by,
  total_ms: row.total_ms,
  created_at: row.created_at.toISOString(),
})

export const traceRoutes = (traces: Traces) => [
  endpoint(ENDPOINTS.listTraces, async ({ caller, params, query }) => {
    const { covered, surface, vote, limit } = query
    const of = { covered, surface, vote, after: readCursor(query.cursor), limit: limit + 1 }
    return pageWith(await traces.list(caller, params.id, of), limit, presentListed, cursorOf)
  }),
  endpoint(ENDPOINTS.getTrace, ({ caller, params }) => traces.get(caller, params.id)),
  endpoint(ENDPOINTS.replayMessage, ({ caller, params, body, signal }) =>
    traces.replay(caller, params.id, body, signal),
  ),
  endpoint(ENDPOINTS.tryQuestion, ({ caller, params, body, signal }) =>
    traces.tryQuestion(caller, params.id, body, signal),
  ),
]
