import { verifies } from '@citewell/spec/verifies'
import { describe, expect, test } from 'vitest'
import { createStrangers } from '../../../test/connectors/ask-as-stranger.ts'
import { shareConnectorWorlds, TIMEOUT } from '../../../test/connectors/connector-world.ts'
import { startFreshdesk } from '../../../test/connectors/freshdesk-stand-in.ts'
import { createRandom } from '../../../test/connectors/random.ts'
import { runCrashes, runRandomChanges, seedsOf } from '../../../test/connectors/random-runs.ts'
import { triedConnectors } from '../../../test/connectors/tried-connectors.ts'

/**
 * `npm run test:connectors` is the long run: a thousand items, ten runs, and the worker ended at twenty moments. `npm run test:strangers` has
 * few items and twenty seeds.
 */
const ITEMS = Number(process.env['CONNECTOR_ITEMS'] ?? 12)
const RUNS = Number(process.env['CONNECTOR_RUNS'] ?? 2)
const SEEDS = seedsOf(process.env['CONNECTOR_SEEDS'] ?? '3')
const MOMENTS = Number(process.env['CONNECTOR_CRASHES'] ?? 0)
const IS_LONG = ITEMS > 100 || SEEDS.length > 1
const LONG = { timeout: IS_LONG ? 3_600_000 : TIMEOUT.timeout }

/** Of the long runs, for the record. */
const reportOf = (name: string) =>
  IS_LONG ? (line: string) => process.stdout.write(`${name}: ${line}\n`) : undefined

const openWorld = shareConnectorWorlds()

describe.each(Object.entries(triedConnectors(ITEMS < 100)))('%s', (name, { start, maxRequests }) => {
  verifies(
    'connectors.wiki-and-help-desk-sources',
    'after random changes, some while they are read, the index is what the product has, in no more requests than the changes need',
    async () => {
      const asked = { open: 0, closed: 0 }
      for (const seed of SEEDS) {
        await using product = await start()
        const world = await openWorld(product.model)
        const run = {
          seed,
          items: ITEMS,
          runs: RUNS,
          changesPerRun: 8,
          maxRequests,
          asksEach: ITEMS > 100,
          report: reportOf(name),
        }
        const done = await runRandomChanges(world, product.model, run)
        expect(done.runs).toBe(RUNS)
        asked.open += done.asked.open
        asked.closed += done.asked.closed
      }
      // In vain, unless there was something that they may read and something that they may not.
      expect(Math.min(asked.open, asked.closed)).toBeGreaterThan(0)
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

test.each([{ asksEach: false }, { asksEach: true }])(
  'strangers who ask see a leak, and what is missing, on every surface ($asksEach)',
  TIMEOUT,
  async (asking) => {
    await using desk = await startFreshdesk()
    const { model } = desk
    const world = await openWorld(model)
    const random = createRandom(4)
    for (let item = 0; item < 10; item += 1) model.add(random)
    await world.sync()
    const strangers = createStrangers(world, asking)
    const documents = model.documents()
    strangers.note(documents)
    expect(await strangers.faults(documents)).toEqual([])
    const show = async (visibility: string) => {
      await world.storage.execute(
        `update documents set visibility = '${visibility}' where source_id = '${world.sourceId}'`,
      )
      return (await strangers.faults(documents)).join('\n')
    }
    const leaks = await show('public')
    const missing = await show('restricted')
    for (const surface of ['search', 'mcp', 'chat']) {
      expect(leaks).toContain(`${surface} told a stranger`)
      expect(missing).toContain(`${surface} does not find`)
    }
  },
)
