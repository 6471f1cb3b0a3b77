import { expect, test } from 'vitest'
import { judgeHostileAnswers } from './hostile-answers.ts'
import { openChromium } from '../open-chromium.ts'
import { startWidgetWorld } from './widget-world.ts'

/** In milliseconds. `npm run fuzz:answers` holds 50 where nothing else runs; a busy machine is granted more. */
const MOST_MS = 500

test('hostile answers, split at every point: no script runs, nothing is fetched, and the end is that of the whole text', async () => {
  const [world, browser] = await Promise.all([startWidgetWorld(), openChromium()])
  try {
    const { ran, fetched, different, longest } = await judgeHostileAnswers(world, browser, {
      runs: 500,
      seed: 11,
      mostMs: MOST_MS,
    })
    expect({ ran, fetched, different }).toEqual({ ran: 0, fetched: [], different: [] })
    expect(longest).toBeLessThan(MOST_MS)
  } finally {
    await browser.close()
    await world.stop()
  }
})
