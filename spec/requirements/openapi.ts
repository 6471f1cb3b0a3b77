import type { Requirement } from '../requirement.ts'

const spec = 'open-items'
const document = 'service/src/platform/http/openapi/openapi-document.ts'

export const OPENAPI = {
  'openapi.published': {
    says: 'The OpenAPI 3.1 document at /openapi.json is made from the schemas that check requests, and has every endpoint that is served.',
    spec: `${spec}#open-items-settled`,
    lives: document,
  },
  'openapi.contract-addresses': {
    says: 'Every method and address that the two documents name is in it.',
    spec: 'open-items#2-management-api',
    lives: 'contract/src/endpoints.ts',
  },
  'openapi.linted': {
    says: 'Spectral finds nothing in it, with its OWASP rules.',
    spec: `${spec}#open-items-settled`,
    lives: document,
  },
  'openapi.fuzzed': {
    says: 'Requests made from it, valid and damaged, get no 5xx and no answer outside its schemas.',
    spec: `${spec}#open-items-settled`,
    lives: 'service/src/platform/http/routes.ts',
  },
} as const satisfies Record<string, Requirement>
