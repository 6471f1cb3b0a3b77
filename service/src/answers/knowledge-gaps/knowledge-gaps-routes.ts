import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { KnowledgeGaps } from './knowledge-gaps.ts'
import { presentDetail, presentListed, presentWhole } from './present-gap.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const knowledgeGapRoutes = (gaps: KnowledgeGaps) => [
  endpoint(ENDPOINTS.listKnowledgeGaps, async ({ caller, params, query, signal }) => {
    const found = await gaps.list(caller, params.id, query, signal)
    return {
      knowledge_base_id: found.base.id,
      from: found.range.days[0] ?? '',
      to: found.range.days.at(-1) ?? '',
      data: found.listed.map((gap) => presentListed(gap, found.mayReadAll)),
      zero_retention: found.hasZeroRetention,
    }
  }),
  endpoint(ENDPOINTS.exportKnowledgeGaps, ({ caller, params, query, signal }) =>
    gaps.exportFiles(caller, params.id, query, signal),
  ),
  endpoint(ENDPOINTS.getKnowledgeGap, async ({ caller, params, signal }) =>
    presentDetail(await gaps.get(caller, params.id, signal)),
  ),
  endpoint(ENDPOINTS.updateKnowledgeGap, async ({ caller, params, body, signal }) =>
    presentWhole(await gaps.change(caller, params.id, body, signal)),
  ),
  endpoint(ENDPOINTS.replayKnowledgeGap, async ({ caller, params, signal }) => {
    const { gap, counts } = await gaps.replay(caller, params.id, signal)
    const { questions, covered, failed, leftOut } = counts
    return { knowledge_gap: presentWhole(gap), questions, covered, failed, left_out: leftOut }
  }),
]
