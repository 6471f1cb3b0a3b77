import type { SealedPlace } from '../../platform/secrets/sealed.ts'

/** What a webhook's secret is sealed to. */
export const secretPlace = (triggerId: string): SealedPlace => ({
  table: 'webhook_triggers',
  row: triggerId,
  column: 'sealed_secret',
})
