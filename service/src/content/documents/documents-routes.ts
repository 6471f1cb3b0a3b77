import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Addresses } from '../addresses/addresses.ts'
import type { Documents, Push } from './documents.ts'
import { presentDocument, presentDocumentWithChunks } from './present-document.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export const documentRoutes = ({
  documents,
  push,
  addresses: { addressOf, parseAddress },
}: {
  documents: Documents
  push: Push
  addresses: Addresses
}) => [
  endpoint(ENDPOINTS.listDocuments, async ({ caller, params, query }) => {
    const of = {
      ...parsePageQuery(query),
      sourceId: query.source_id,
      visibility: query.visibility,
      page: query.url === undefined ? undefined : parseAddress(query.url),
    }
    return pageOfRows(await documents.list(caller, params.id, of), query.limit, (row) =>
      presentDocument(row, addressOf),
    )
  }),
  endpoint(ENDPOINTS.getDocument, async ({ caller, params }) =>
    presentDocumentWithChunks(await documents.get(caller, params.id), addressOf),
  ),
  endpoint(ENDPOINTS.updateDocument, async ({ caller, params, body }) =>
    presentDocumentWithChunks(
      await documents.changeVisibility(caller, params.id, body.visibility),
      addressOf,
    ),
  ),
  endpoint(ENDPOINTS.deleteDocument, ({ caller, params }) => documents.remove(caller, params.id)),
  endpoint(ENDPOINTS.pushDocuments, async ({ caller, params, body, signal }) => ({
    documents: await push.push(caller, params.id, body.documents, signal),
  })),
  endpoint(ENDPOINTS.deletePushedDocument, ({ caller, params }) =>
    push.remove(caller, params.id, params.external_id),
  ),
]
