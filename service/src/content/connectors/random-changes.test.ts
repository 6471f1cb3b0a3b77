import { verifies } from '@citewell/spec/verifies'
import { describe, expect, test } from 'vitest'
import { shareConnectorWorlds, TIMEOUT } from '../../../test/connectors/connector-world.ts'
import { runCrashes, runRandomChanges } from '../../../test/connectors/random-runs.ts'
import { triedConnectors } from '../../../test/connectors/tried-connectors.ts'

/** `npm run test:connectors` is the long run: a thousand items, ten runs, and the worker ended at twenty moments. */
const ITEMS = Number(process.env['CONNECTOR_ITEMS'] ?? 12)
const RUNS = Number(process.env['CONNECTOR_RUNS'] ?? 1)
const SEEDS = (process.env['CONNECTOR_SEEDS'] ?? '1,2').split(',').map(Number)
const MOMENTS = Number(process.env['CONNECTOR_CRASHES'] ?? 0)
const LONG = { timeout: ITEMS > 100 ? 3_600_000 : TIMEOUT.timeout }

/** Of the long run, for the record. */
const reportOf = (name: string) =>
  ITEMS > 100 ? (line: string) => process.stdout.write(`${name}: ${line}\n`) : undefined

const openWorld = shareConnectorWorlds()

describe.each(Object.entries(triedConnectors(ITEMS < 100)))('%s', (name, { start, maxRequests }) => {
  verifies(
    'connectors.wiki-and-help-desk-sources',
    'after random changes, some while they are read, the index is what the product has, in no more requests than the changes need',
    async () => {
      for (const seed of SEEDS) {
        await using product = await start()
        const world = await openWorld(product.model)
        const run = { seed, items: ITEMS, runs: RUNS, changesPerRun: 8, maxRequests, report: reportOf(name) }
        expect(await runRandomChanges(world, product.model, run)).toBe(RUNS)
      }
    },
    LONG,
  )

  test.runIf(MOMENTS > 0)('a worker that ends at any moment of a sync leaves it whole', LONG, async () => {
    await using product = await start()
    const world = await openWorld(product.model)
    const run = { seed: SEEDS[0] ?? 1, items: 40, changesPerRun: 6, moments: MOMENTS, report: reportOf(name) }
    // A sync of few changes ends before its last moments come.
    expect(await runCrashes(world, product.model, run)).toBeGreaterThan(MOMENTS)
  })

  test.runIf(ITEMS > 100)('most of it that is gone at once is kept, and said', LONG, async () => {
    await using product = await start()
    const { model } = product
    const world = await openWorld(model)
    const run = { seed: 9, items: ITEMS, runs: 0, changesPerRun: 0, maxRequests }
    await runRandomChanges(world, model, run)
    const before = await world.indexed()
    const show = await model.hideMost()
    expect(await world.sync()).toMatchObject({
      status: 'partial',
      error: expect.stringContaining('no longer shows'),
      counts: { removed: 0 },
    })
    expect(await world.indexed()).toEqual(before)
    await show()
    expect(await world.sync()).toMatchObject({ status: 'succeeded', counts: { removed: 0, changed: 0 } })
    expect(await world.indexed()).toEqual(before)
  })
})
