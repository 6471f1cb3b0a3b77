import performanceHooks from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMetrics } from './metrics.ts'

test('several services in a process measure it once, and each tells it with its own metrics', async () => {
  createMetrics()
  const begun = vi.spyOn(performanceHooks, 'monitorEventLoopDelay')
  onTestFinished(() => begun.mockRestore())
  const [one, other] = [createMetrics(), createMetrics()]
  one.counter('questions_total', 'Questions.', [])({})

  expect(begun).not.toHaveBeenCalled()
  for (const metrics of [one, other]) {
    const text = await metrics.text()
    expect(text.match(/^process_cpu_user_seconds_total /gm)).toHaveLength(1)
    expect(text.match(/^nodejs_eventloop_lag_mean_seconds /gm)).toHaveLength(1)
    expect(text.match(/^nodejs_gc_duration_seconds_count/gm)?.length ?? 0).toBeLessThanOrEqual(4)
  }
  expect(await one.text()).toContain('citewell_questions_total 1')
  expect(await other.text()).not.toContain('citewell_questions_total')
})
