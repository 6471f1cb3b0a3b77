import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

/** Every endpoint of the service, in the order in which the reference lists them, for what treats them alike. */
export const ALL_ENDPOINTS: readonly Endpoint[] = Object.values<Endpoint>(ENDPOINTS)
