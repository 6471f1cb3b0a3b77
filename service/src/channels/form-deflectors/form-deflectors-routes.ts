import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { FormDeflector } from '@citewell/contract/form-deflectors'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { FormDeflectorRow, FormDeflectors } from './form-deflectors.ts'

const presentFormDeflector = ({ created_at, updated_at, ...row }: FormDeflectorRow): FormDeflector => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

export const formDeflectorRoutes = (forms: FormDeflectors) =>
  recordRoutes(
    {
      list: ENDPOINTS.listFormDeflectors,
      create: ENDPOINTS.createFormDeflector,
      get: ENDPOINTS.getFormDeflector,
      change: ENDPOINTS.updateFormDeflector,
      remove: ENDPOINTS.deleteFormDeflector,
    },
    forms,
    presentFormDeflector,
  )
