import { GRANTED_PERMISSIONS } from '@citewell/contract/endpoint'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { KnowledgeBases } from './knowledge-bases.ts'
import { presentDeletionPreview, presentKnowledgeBase, presentTypeChange } from './present-knowledge-base.ts'

const endpoint = endpointsFor<'access-token', Caller>()

/** A caller who has just made a base: its hook grants its maker Chat and Config, which were not yet read with the caller. */
const withGrantOn = (caller: Caller, knowledgeBaseId: string): Caller => ({
  ...caller,
  grants: [...(caller.grants ?? []), { knowledgeBaseId, permissions: GRANTED_PERMISSIONS }],
})

export interface KnowledgeBaseRoutesDeps {
  bases: KnowledgeBases
  /** Adds the sample to a new base, and begins to read it. Injected, because sources import this room. */
  addSample: (caller: Caller, knowledgeBaseId: string) => Promise<void>
}

export const knowledgeBaseRoutes = ({ bases, addSample }: KnowledgeBaseRoutesDeps) => [
  endpoint(ENDPOINTS.listKnowledgeBases, async ({ caller, query }) => {
    const of = { ...parsePageQuery(query), workspaceId: query.workspace_id, status: query.status }
    return pageOfRows(await bases.list(caller, of), query.limit, (base) => presentKnowledgeBase(base, caller))
  }),
  endpoint(ENDPOINTS.createKnowledgeBase, async ({ caller, body }) => {
    const { workspace_id: workspaceId, sample, ...given } = body
    const { base, extras } = await bases.create(caller, workspaceId, given)
    const maker = withGrantOn(caller, base.id)
    if (sample) await addSample(maker, base.id)
    return { ...presentKnowledgeBase(base, maker), client_key: null, widget: null, ...extras }
  }),
  endpoint(ENDPOINTS.getKnowledgeBase, async ({ caller, params }) =>
    presentKnowledgeBase(await bases.get(caller, params.id), caller),
  ),
  endpoint(ENDPOINTS.updateKnowledgeBase, async ({ caller, params, body }) => {
    const { base, extras } = await bases.change(caller, params.id, body)
    const { client_key: clientKey, widget } = extras
    return {
      ...presentKnowledgeBase(base, caller),
      ...(clientKey && { client_key: clientKey }),
      ...(widget && { widget }),
    }
  }),
  endpoint(ENDPOINTS.deleteKnowledgeBase, async ({ caller, params, body }) => {
    const counts = await bases.remove(caller, params.id, body.confirm)
    return { deleted: true as const, id: params.id, counts }
  }),
  endpoint(ENDPOINTS.previewKnowledgeBaseDeletion, async ({ caller, params }) =>
    presentDeletionPreview(await bases.previewDeletion(caller, params.id)),
  ),
  endpoint(ENDPOINTS.previewTypeChange, async ({ caller, params }) =>
    presentTypeChange(await bases.previewInternal(caller, params.id)),
  ),
  endpoint(ENDPOINTS.archiveKnowledgeBase, async ({ caller, params }) =>
    presentKnowledgeBase(await bases.archive(caller, params.id), caller),
  ),
  endpoint(ENDPOINTS.restoreKnowledgeBase, async ({ caller, params }) =>
    presentKnowledgeBase(await bases.restore(caller, params.id), caller),
  ),
]
