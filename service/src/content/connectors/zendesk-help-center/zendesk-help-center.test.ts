import { describe, expect, test } from 'vitest'
import { openConnectorWorld, runRandomChanges } from '../../../../test/connectors/connector-world.ts'
import { createRandom } from '../../../../test/connectors/random.ts'
import { startZendesk } from '../../../../test/connectors/zendesk-stand-in.ts'

const TIMEOUT = { timeout: 240_000 }

describe('a Zendesk help center', () => {
  test(
    'after ten runs of random changes, some interrupted, the index is what the help center has',
    TIMEOUT,
    async () => {
      await using zendesk = await startZendesk({ exportSize: 40 })
      await using world = await openConnectorWorld(zendesk.model)
      await runRandomChanges(world, zendesk.model, {
        seed: 20_261_122,
        items: 120,
        runs: 10,
        changesPerRun: 12,
        // Twice (an interrupted run starts again): sections, categories, the export, the list; and the items that the export does not have.
        maxRequests: (items, changes) => 2 * (4 + Math.ceil(items / 100) + changes) + 6,
      })
    },
  )

  test('without credentials the public articles are read, and no others', TIMEOUT, async () => {
    await using zendesk = await startZendesk({ isAnonymous: true })
    await using world = await openConnectorWorld(zendesk.model)
    await runRandomChanges(world, zendesk.model, {
      seed: 3,
      items: 30,
      runs: 6,
      changesPerRun: 8,
      maxRequests: (items, changes) => 2 * (4 + Math.ceil(items / 100) + changes) + 6,
    })
  })
})
