import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Gate } from '../../platform/http/endpoint.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { followSync } from './follow-sync.ts'
import { presentSync, presentSyncWithErrors } from './present-sync.ts'
import { progressFailure } from './progress-failure.ts'
import type { SyncHolds, SyncRow, Syncs } from './syncs.ts'
import { findBaseOf } from '../../platform/storage/base-records.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export interface SyncRoutesDeps {
  db: Db<'syncs'>
  syncs: Syncs
  syncHolds: Pick<SyncHolds, 'accept' | 'discard' | 'listHeld'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** Injected, because sources import syncs. */
  sources: {
    requestSync(caller: Caller, sourceId: string, options: { acceptsDeletions: boolean }): Promise<SyncRow>
    open(caller: Caller, sourceId: string, permission: 'member'): Promise<{ base: { id: string } }>
  }
  /** How often a progress stream polls the sync. */
  followEveryMs: number
  /** The gate of these endpoints: a stream outlives the look at its caller. */
  authenticate: Gate<Caller>
}

export const syncRoutes = ({
  db,
  syncs,
  syncHolds,
  knowledgeBases,
  sources,
  followEveryMs,
  authenticate,
}: SyncRoutesDeps) => {
  /** The base of a sync, if the caller has this permission on it. */
  async function baseOf(
    caller: Caller,
    syncId: string,
    permission: 'member' | 'config',
    how: 'open' | 'openActive' = 'open',
  ): Promise<string> {
    const knowledgeBaseId = await findBaseOf(db, 'syncs', syncId)
    if (knowledgeBaseId === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such sync.' })
    return (await knowledgeBases[how](caller, knowledgeBaseId, permission)).id
  }

  return [
    endpoint(ENDPOINTS.startSync, async ({ caller, params, body }) =>
      presentSync(await sources.requestSync(caller, params.id, { acceptsDeletions: body.accept_deletions })),
    ),
    endpoint(ENDPOINTS.listSyncs, async ({ caller, params, query }) => {
      const { base } = await sources.open(caller, params.id, 'member')
      const { after: before, limit } = parsePageQuery(query)
      const found = await syncs.list({ knowledgeBaseId: base.id, sourceId: params.id, before, limit })
      return pageOfRows(found, query.limit, presentSync)
    }),
    endpoint(ENDPOINTS.getSync, async ({ caller, params }) =>
      presentSyncWithErrors(await syncs.get(await baseOf(caller, params.id, 'member'), params.id)),
    ),
    endpoint(ENDPOINTS.followSync, async (asked) => {
      const { caller, params, signal, requestId } = asked
      await baseOf(caller, params.id, 'member')
      async function look() {
        const now = await authenticate({ ...asked, endpoint: ENDPOINTS.followSync })
        return await syncs.get(await baseOf(now, params.id, 'member'), params.id)
      }
      return {
        frames: followSync(look, followEveryMs, signal),
        onError: (error) => progressFailure(error, requestId, 'sync'),
      }
    }),
    endpoint(ENDPOINTS.cancelSync, async ({ caller, params }) =>
      presentSync(await syncs.cancel(await baseOf(caller, params.id, 'config'), params.id)),
    ),
    endpoint(ENDPOINTS.listHeldDocuments, async ({ caller, params, query }) => {
      const knowledgeBaseId = await baseOf(caller, params.id, 'config')
      const held = await syncHolds.listHeld(knowledgeBaseId, params.id, parsePageQuery(query))
      return pageOfRows(held, query.limit, ({ id, kind, title, url }) => ({ id, kind, title, url }))
    }),
    endpoint(ENDPOINTS.acceptSync, async ({ caller, params }) =>
      presentSync(await syncHolds.accept(await baseOf(caller, params.id, 'config', 'openActive'), params.id)),
    ),
    endpoint(ENDPOINTS.discardSync, async ({ caller, params }) =>
      presentSync(
        await syncHolds.discard(await baseOf(caller, params.id, 'config', 'openActive'), params.id),
      ),
    ),
  ]
}
