import type { DocumentCountQuery } from '@citewell/contract/documents'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { z } from 'zod'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Addresses } from '../addresses/addresses.ts'
import { documentCursorOf, readDocumentOrder } from './document-order.ts'
import { presentUploadedFile } from '../sources/sources.ts'
import type { DocumentFilter, Documents, Push, UploadedFiles } from './documents.ts'
import { presentDocument, presentDocumentWithChunks } from './present-document.ts'

const filterOf = (query: z.output<typeof DocumentCountQuery>): DocumentFilter => ({
  sourceId: query.source_id,
  visibility: query.visibility,
  text: query.q,
  label: query.label,
})

const endpoint = endpointsFor<'access-token', Caller>()

export const documentRoutes = ({
  documents,
  push,
  uploadedFiles,
  addresses: { addressOf, parseAddress },
}: {
  documents: Documents
  push: Push
  uploadedFiles: UploadedFiles
  addresses: Addresses
}) => [
  endpoint(ENDPOINTS.listDocuments, async ({ caller, params, query }) => {
    const page = query.url === undefined ? undefined : parseAddress(query.url)
    const filter = { ...filterOf(query), page }
    if (query.sort !== undefined) {
      const order = readDocumentOrder(query.sort, query.cursor)
      const rows = await documents.listInOrder(caller, params.id, {
        ...filter,
        order,
        limit: query.limit + 1,
      })
      const shown = rows.slice(0, query.limit)
      return {
        data: shown.map((row) => presentDocument(row, addressOf)),
        next_cursor: rows.length > query.limit ? documentCursorOf(query.sort, shown.at(-1)) : null,
      }
    }
    const of = { ...filter, ...parsePageQuery(query) }
    return pageOfRows(await documents.list(caller, params.id, of), query.limit, (row) =>
      presentDocument(row, addressOf),
    )
  }),
  endpoint(ENDPOINTS.countDocuments, async ({ caller, params, query }) => {
    const found = await documents.count(caller, params.id, filterOf(query))
    return { total: found.public + found.restricted, ...found }
  }),
  endpoint(ENDPOINTS.updateDocuments, async ({ caller, params, body }) => ({
    changed: await documents.changeVisibilities(caller, params.id, body.ids, body.visibility),
  })),
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
  endpoint(ENDPOINTS.listUploadedFiles, async ({ caller, params, query }) =>
    pageOfRows(await uploadedFiles.list(caller, params.id, parsePageQuery(query)), query.limit, (row) => ({
      ...presentUploadedFile(row),
      document_id: row.document_id,
    })),
  ),
  endpoint(ENDPOINTS.deleteUploadedFile, ({ caller, params }) => uploadedFiles.remove(caller, params.id)),
  endpoint(ENDPOINTS.pushDocuments, async ({ caller, params, body, signal }) => ({
    documents: await push.push(caller, params.id, body.documents, signal),
  })),
  endpoint(ENDPOINTS.deletePushedDocument, ({ caller, params }) =>
    push.remove(caller, params.id, params.external_id),
  ),
]
