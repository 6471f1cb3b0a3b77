import type { SealedPlace } from '../../platform/secrets/sealed.ts'

/** The context that a webhook's secret is sealed to. */
export const sealedSecretContext = (triggerId: string): SealedPlace => ({
  table: 'webhook_triggers',
  row: triggerId,
  column: 'sealed_secret',
})
