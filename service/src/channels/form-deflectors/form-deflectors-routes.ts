import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { FormDeflector } from '@citewell/contract/form-deflectors'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { parsePageQuery, pageOfRows } from '../../kernel/paging.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { FormDeflectorRow, FormDeflectors } from './form-deflectors.ts'

const endpoint = endpointsFor<'access-token', Caller>()

const presentFormDeflector = ({ created_at, updated_at, ...row }: FormDeflectorRow): FormDeflector => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

export const formDeflectorRoutes = (forms: FormDeflectors) => [
  endpoint(ENDPOINTS.listFormDeflectors, async ({ caller, params, query }) =>
    pageOfRows(await forms.list(caller, params.id, parsePageQuery(query)), query.limit, presentFormDeflector),
  ),
  endpoint(ENDPOINTS.createFormDeflector, async ({ caller, params, body }) =>
    presentFormDeflector(await forms.create(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.getFormDeflector, async ({ caller, params }) =>
    presentFormDeflector(await forms.get(caller, params.id)),
  ),
  endpoint(ENDPOINTS.updateFormDeflector, async ({ caller, params, body }) =>
    presentFormDeflector(await forms.change(caller, params.id, body)),
  ),
  endpoint(ENDPOINTS.deleteFormDeflector, ({ caller, params }) => forms.remove(caller, params.id)),
]
