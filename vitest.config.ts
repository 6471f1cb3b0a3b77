import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['citewell-source'] },
  ssr: { resolve: { conditions: ['citewell-source'] } },
  // What runs once before the tests is resolved in an environment of its own.
  environments: { __vitest__: { resolve: { conditions: ['citewell-source'] } } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          globalSetup: ['service/test/storage-template.ts'],
          include: [
            'contract/src/**/*.test.ts',
            'sdk/test/**/*.test.ts',
            'service/src/**/*.test.ts',
            'service/test/**/*.test.ts',
            'tools/**/*.test.ts',
            'evals/**/*.test.ts',
            'spec/**/*.test.ts',
            'widget/**/*.test.{ts,tsx}',
            'dashboard/src/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // One fewer than the cores by default, which on two cores leaves one of them idle.
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
