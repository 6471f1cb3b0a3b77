import type { Bench, BenchOptions, Figure } from '../figure.ts'
import { percentile } from '../load/percentile.ts'
import type { StreamTimes } from '../load/stream-load.ts'
import { startBareServer, startFakeModel, startLoad, type FakeModel } from '../processes/start-children.ts'
import { startCitewell } from '../processes/start-citewell.ts'
import { chatPlan, withModel } from '../run/chat-plan.ts'
import { lateNote, RUNS, type RequestPlan } from '../run/measure-requests.ts'
import { endOfStreams, openStreams, setPace } from '../run/open-streams.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore } from '../store/store-folder.ts'

/** Each answer takes 20 s, so that at this rate 200 are in flight. */
const PER_SECOND = 10
const ANSWER = { firstPieceMs: 200, everyMs: 100, pieces: 199 }
const SECONDS_OF_AN_ANSWER = 20

/** Questions one at a time, with short answers. */
const SHORT_ANSWER = { firstPieceMs: 200, everyMs: 10, pieces: 5 }

/** Opens streams at the rate for some time, and leaves out those of the warm-up. */
async function streamFor(
  plan: RequestPlan,
  { warmUpSeconds, seconds }: { warmUpSeconds: number; seconds: number },
): Promise<Pick<StreamTimes, 'firstFrameMs' | 'firstDeltaMs' | 'lateMs'>> {
  await using load = startLoad()
  const perSecond = PER_SECOND
  await openStreams(load, { ...plan, perSecond }, (warmUpSeconds + seconds) * perSecond)
  const { firstFrameMs, firstDeltaMs, lateMs } = await endOfStreams(load)
  const rest = (times: number[]) => times.slice(warmUpSeconds * perSecond)
  return { firstFrameMs: rest(firstFrameMs), firstDeltaMs: rest(firstDeltaMs), lateMs: rest(lateMs) }
}

async function measurePlan(
  name: string,
  model: FakeModel,
  plan: RequestPlan,
  { quick, progress }: BenchOptions,
) {
  const { warmUpSeconds, runs, seconds } = quick ? RUNS.quick : RUNS.whole
  progress(`${name}: first frames`)
  await setPace(model, SHORT_ANSWER)
  const alone = await streamFor(plan, { warmUpSeconds, seconds: seconds * runs })
  progress(`${name}: 200 streams at once`)
  await setPace(model, ANSWER)
  const many = await streamFor(plan, { warmUpSeconds: SECONDS_OF_AN_ANSWER, seconds: quick ? 5 : 40 })
  return { alone, many }
}

function figureOf(
  name: string,
  times: readonly number[],
  bare: readonly number[],
  rest: Pick<Figure, 'target' | 'note'>,
): Figure {
  const p95 = percentile(times, 0.95)
  const baseline = percentile(bare, 0.95)
  return {
    name,
    unit: 'ms',
    n: times.length,
    p50: percentile(times, 0.5),
    p95,
    p99: percentile(times, 0.99),
    baseline,
    ratio: p95 / baseline,
    ...rest,
  }
}

/** How long a reader waits for the first frame, and the latency added to the model's first token. */
export const chatBench: Bench = {
  name: 'chat',
  run: async (options) => {
    const store = await openStore(10_000, options)
    await using model = await startFakeModel()
    const bare = await (async () => {
      await using server = startBareServer()
      const plan = chatPlan(await server.ask<string>('listen', model.baseUrl), store)
      return await measurePlan('bare', model, plan, options)
    })()
    using copy = copyOfStore(store)
    await using citewell = await startCitewell(copy.data, withModel(model))
    const ours = await measurePlan('citewell', model, chatPlan(citewell.address, store), options)
    return [
      figureOf('first chat frame, 10,000 chunks', ours.alone.firstFrameMs, bare.alone.firstFrameMs, {
        target: { most: 60 },
        note: lateNote(PER_SECOND, ours.alone.lateMs),
      }),
      figureOf('first chat frame, 200 streams', ours.many.firstFrameMs, bare.many.firstFrameMs, {
        note: lateNote(PER_SECOND, ours.many.lateMs),
      }),
      figureOf('first delta less the model’s, 200 streams', ours.many.firstDeltaMs, bare.many.firstDeltaMs, {
        target: { most: 5 },
        note: lateNote(PER_SECOND, ours.many.lateMs),
      }),
    ]
  },
}
