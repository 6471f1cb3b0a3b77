import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** One more than the cores: a third of the time of a test file is waiting, for the storage, a page or a timer. */
const MAX_WORKERS = availableParallelism() + 1

/** A browser and a service for each file keep a core busy. */
const MAX_E2E_WORKERS = Math.max(2, availableParallelism())

/** Starts a process for each of many kills: nothing else runs beside it. */
const ALONE = ['e2e/kill-during-connector-sync.test.ts']

/** Of `npm run test:connectors` alone. */
const NOT_NOW = process.env['CONNECTOR_KILLS'] === undefined ? ALONE : []

/** Packages have builds for development, with checks: tests run on those that the service runs on. micromark takes a third longer in its other. */
const withoutDevelopmentBuilds: Plugin = {
  name: 'without-development-builds',
  configResolved: ({ ssr }) => {
    const { resolve } = ssr
    if (resolve?.conditions !== undefined)
      resolve.conditions = resolve.conditions.filter((condition) => !condition.includes('development'))
  },
}

export default defineConfig({
  plugins: [withoutDevelopmentBuilds],
  resolve: { conditions: ['citewell-source'] },
  ssr: { resolve: { conditions: ['citewell-source'] } },
  // What runs once before the tests is resolved in an environment of its own.
  environments: { __vitest__: { resolve: { conditions: ['citewell-source'] } } },
  test: {
    tags: [
      {
        name: 'long',
        description:
          'Takes long, because it shows at random, under load, at each product or after long waits what other tests show once. `npm test` leaves it out.',
      },
    ],
    // What is waited for is there much earlier; on a machine that does other things it is still no failure.
    expect: { poll: { timeout: 10_000 } },
    // A failure in CI is told by its message alone: what was there is in it.
    chaiConfig: { truncateThreshold: 1_000 },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          globalSetup: ['service/test/storage-template.ts'],
          setupFiles: ['service/test/keep-engine-code.ts'],
          // Importing the service takes a third of the time of a file: a worker does it once. A test keeps nothing in modules or globals.
          isolate: false,
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
          maxWorkers: MAX_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          globalSetup: ['e2e/data-template.ts', 'e2e/shared-citewell.ts'],
          // As above: importing what drives a browser takes a second.
          isolate: false,
          include: ['e2e/**/*.test.ts'],
          exclude: ALONE,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: MAX_E2E_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-alone',
          globalSetup: ['e2e/data-template.ts'],
          include: ALONE,
          exclude: NOT_NOW,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
