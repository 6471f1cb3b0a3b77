import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { newDataDirectory, OWNER_TOKEN, startCitewell } from '../run-citewell.ts'
import { makeFuzzWorld } from './fuzz-world.ts'
import { runFuzz } from './run-fuzz.ts'

// `npm run fuzz` sends 5,000 requests with any seed; this seed is fixed, so that a failure can be reproduced.
verifies(
  'openapi.fuzzed',
  'a hundred and fifty requests generated from the OpenAPI document, most of them damaged, get only documented responses',
  async () => {
    const service = await startCitewell({
      CITEWELL_DATA_DIR: newDataDirectory(),
      CITEWELL_RATE_LIMITS: 'off',
    })
    try {
      const world = await makeFuzzWorld(service.address, OWNER_TOKEN)
      // Sequential, so that an answer depends only on the seed.
      const report = await runFuzz({ world, seed: 20_261_121, requests: 150, parallel: 1 })

      expect(report.findings).toEqual([])
      expect(report.requests).toBe(150)
      expect(report.statuses['200'] ?? 0).toBeGreaterThan(15)
      expect(report.statuses['400'] ?? 0).toBeGreaterThan(15)
      expect(service.process.exitCode).toBeNull()
      expect(service.log()).not.toContain('"level":50')
    } finally {
      await service.kill()
    }
  },
  { tags: ['long'] },
)
