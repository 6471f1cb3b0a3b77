import { setTimeout as wait } from 'node:timers/promises'
import type { StreamTimes } from '../load/stream-load.ts'
import type { Child } from '../processes/child.ts'
import type { Pace } from '../processes/fake-model-process.ts'
import type { RequestPlan } from './measure-requests.ts'

const bodiesOf = ({ bodyOf }: RequestPlan, count: number) =>
  Array.from({ length: count }, (_, place) => bodyOf(place))

/** Opens streams at the plan's rate; resolves when the last question has been sent. */
export async function openStreams(load: Child, plan: RequestPlan, count: number): Promise<void> {
  const { target, perSecond } = plan
  await load.ask('openStreams', { target, bodies: bodiesOf(plan, count), perSecond })
}

export const setPace = (model: Child, pace: Pace) => model.ask('setPace', pace)

const LONGEST_WAIT_MS = 60_000

/** Waits until that many answers are in flight. */
export async function untilSpeaking(load: Child, count: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS
  for (;;) {
    const speaking = await load.ask<number>('speaking')
    if (speaking >= count) return
    if (performance.now() > end) throw new Error(`Only ${speaking} of ${count} streams started to send text.`)
    await wait(100, undefined, { signal })
  }
}

/** Waits for the end of all streams; throws if one of them was refused, or the model was not asked. */
export async function endOfStreams(load: Child): Promise<StreamTimes> {
  const times = await load.ask<StreamTimes>('endOfStreams')
  if (times.failures.length > 0) throw new Error(`Streams failed: ${times.failures.join('; ')}`)
  return times
}
