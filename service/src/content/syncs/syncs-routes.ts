import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows, wrongCursor, pageWith } from '../../kernel/paging.ts'
import { endpointsFor, type Gate } from '../../platform/http/endpoint.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { followSync } from './follow-sync.ts'
import { presentSync, presentSyncWithErrors } from './present-sync.ts'
import { progressFailure } from './progress-failure.ts'
import type { SyncHolds, SyncRow, Syncs } from './syncs.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'

const endpoint = endpointsFor<'access-token', Caller>()

/** What a sync notes has no ids: the cursor is the place of the last one in its list. */
function parseNotesQuery<Kind>(query: {
  limit: number
  cursor?: string | undefined
  kind?: Kind | undefined
}) {
  if (query.cursor !== undefined && !/^\d{1,9}$/.test(query.cursor)) throw wrongCursor()
  return { after: Number(query.cursor ?? -1), limit: query.limit + 1, kind: query.kind }
}

const pageOfNotes = <Row extends { ordinal: number }, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
) => pageWith(rows, limit, show, ({ ordinal }) => String(ordinal))

export interface SyncRoutesDeps {
  db: Db<'syncs'>
  syncs: Syncs
  syncHolds: Pick<SyncHolds, 'accept' | 'discard' | 'listHeld'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** Injected, because sources import syncs. */
  sources: {
    requestSync(
      caller: Caller,
      sourceId: string,
      options: { acceptsDeletions?: boolean; onlyAddresses?: readonly string[] },
    ): Promise<SyncRow>
    requestAll(
      caller: Caller,
      knowledgeBaseId: string,
    ): Promise<{ started: SyncRow[]; refused: { sourceId: string; error: string }[] }>
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
  const bases = createRecordBases({ db, knowledgeBases, table: 'syncs', noun: 'sync' })

  /** The base of a sync, if the caller has this permission on it. */
  const baseOf = async (
    caller: Caller,
    syncId: string,
    permission: 'member' | 'config',
    how: 'open' | 'openActive' = 'open',
  ): Promise<string> => (await bases[how](caller, syncId, permission)).id

  return [
    endpoint(ENDPOINTS.startSync, async ({ caller, params, body }) =>
      presentSync(await sources.requestSync(caller, params.id, { acceptsDeletions: body.accept_deletions })),
    ),
    endpoint(ENDPOINTS.startSyncs, async ({ caller, params }) => {
      const { started, refused } = await sources.requestAll(caller, params.id)
      return {
        data: started.map(presentSync),
        refused: refused.map(({ sourceId, error }) => ({ source_id: sourceId, error })),
      }
    }),
    endpoint(ENDPOINTS.retrySync, async ({ caller, params, body }) => {
      const knowledgeBaseId = await baseOf(caller, params.id, 'config', 'openActive')
      const { sourceId, addresses } = await syncs.addressesToRetry(knowledgeBaseId, params.id, body.urls)
      return presentSync(await sources.requestSync(caller, sourceId, { onlyAddresses: addresses }))
    }),
    endpoint(ENDPOINTS.listSyncErrors, async ({ caller, params, query }) => {
      const knowledgeBaseId = await baseOf(caller, params.id, 'member')
      const found = await syncs.errors({ knowledgeBaseId, syncId: params.id, ...parseNotesQuery(query) })
      return pageOfNotes(found, query.limit, ({ kind, url, reason }) => ({ kind, url, reason }))
    }),
    endpoint(ENDPOINTS.listSyncChanges, async ({ caller, params, query }) => {
      const knowledgeBaseId = await baseOf(caller, params.id, 'config')
      const found = await syncs.changes({ knowledgeBaseId, syncId: params.id, ...parseNotesQuery(query) })
      return pageOfNotes(found, query.limit, ({ kind, title, url }) => ({ kind, title, url }))
    }),
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
