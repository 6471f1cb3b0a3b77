import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { contentTypeOf } from '../../kernel/file-of-rows.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import { filterOf } from '../conversations/conversations.ts'
import type { Exports } from './exports.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const exportRoutes = (exports: Exports) => [
  endpoint(ENDPOINTS.exportConversations, async ({ caller, params, query, setHeader }) => {
    const given = { filter: filterOf(query), format: query.format }
    const { text, isCut } = await exports.ofConversations(caller, params.id, given)
    setHeader('content-type', contentTypeOf(query.format))
    setHeader('X-Citewell-Truncated', String(isCut))
    return text
  }),
  endpoint(ENDPOINTS.exportAnalytics, async ({ caller, params, query, setHeader }) => {
    const text = await exports.ofAnalytics(caller, params.id, {
      from: query.from,
      to: query.to,
      format: query.format,
    })
    setHeader('content-type', contentTypeOf(query.format))
    return text
  }),
]
