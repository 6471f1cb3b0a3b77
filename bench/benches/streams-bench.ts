import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, BenchOptions, Figure } from '../figure.ts'
import type { PieceTimes } from '../load/load-process.ts'
import type { StreamTimes } from '../load/stream-load.ts'
import { startBareServer, startFakeModel, startLoad, type FakeModel } from '../processes/start-children.ts'
import { startCitewell } from '../processes/start-citewell.ts'
import { chatPlan, withModel } from '../run/chat-plan.ts'
import { endOfStreams, openStreams, setPace, untilSpeaking } from '../run/open-streams.ts'
import { bareSide, citewellSide, type StreamSide } from '../run/stream-sides.ts'
import { openStore } from '../store/open-store.ts'
import { copyOfStore } from '../store/store-folder.ts'

/** While streams are opened, each sends a piece from time to time. */
const WAITING = { firstPieceMs: 20, everyMs: 8_000, pieces: 1_000_000 }
const SPEAKING = { firstPieceMs: 20, everyMs: 50, pieces: 1_000_000 }
/**
 * Questions asked and answered before the first measurement of memory: by then the service has allocated what it keeps for all streams
 * (code, caches, heap), so that only the memory of the streams is measured.
 */
const FIRST_QUESTIONS = { quick: 100, whole: 400 } as const
const OPENED_PER_SECOND = 20
const SETTLE_MS = 3_000

interface Measured {
  count: number
  bytesPerStream: number
  loopDelayMs: number
  /** As a share of one core. */
  cpuShare: number
  pieces: PieceTimes
  times: StreamTimes
}

/** Opens the streams, lets all of them send at the same time for some seconds, and ends them. */
async function measureSide(
  side: StreamSide,
  model: FakeModel,
  count: number,
  { quick, progress, signal }: BenchOptions,
): Promise<Measured> {
  const seconds = quick ? 6 : 30
  await using load = startLoad()
  const atRate = { ...side.plan, perSecond: OPENED_PER_SECOND }
  await setPace(model, { firstPieceMs: 20, everyMs: 50, pieces: 4 })
  progress(`${side.name}: warming up`)
  await openStreams(load, atRate, FIRST_QUESTIONS[quick ? 'quick' : 'whole'])
  await endOfStreams(load)
  await wait(SETTLE_MS, undefined, { signal })
  const before = await side.usage()

  await setPace(model, WAITING)
  progress(`${side.name}: opening ${count} streams`)
  await openStreams(load, atRate, count)
  await untilSpeaking(load, count, signal)

  progress(`${side.name}: ${count} streams speak`)
  await setPace(model, SPEAKING)
  await wait(2_000, undefined, { signal })
  const start = await side.usage()
  await load.ask('takePieces')
  await wait(seconds * 1_000, undefined, { signal })
  const pieces = await load.ask<PieceTimes>('takePieces')
  const end = await side.usage()
  await setPace(model, { ...SPEAKING, pieces: 1 })
  return {
    count,
    bytesPerStream: (end.residentBytes - before.residentBytes) / count,
    loopDelayMs: end.loopDelayMs,
    cpuShare: (end.cpuSeconds - start.cpuSeconds) / seconds,
    pieces,
    times: await endOfStreams(load),
  }
}

function figuresOf(ours: Measured, bare: Measured): Figure[] {
  const what = `${ours.count.toLocaleString('en')} streams, 20 deltas/s each`
  const one = (name: string, unit: string, of: (measured: Measured) => number, most?: number): Figure => ({
    name: `${what}: ${name}`,
    unit,
    n: ours.count,
    value: of(ours),
    baseline: of(bare),
    ratio: of(ours) / of(bare),
    ...(most !== undefined && { target: { most } }),
  })
  return [
    one('memory a stream', 'kB', ({ bytesPerStream }) => bytesPerStream / 1_000, 100),
    one('event-loop delay p99', 'ms', ({ loopDelayMs }) => loopDelayMs, 50),
    one('share of one core', 'cores', ({ cpuShare }) => cpuShare),
    one('lost, doubled or swapped deltas', 'deltas', ({ times }) => times.faults + times.broken, 0),
    {
      name: `${what}: passing a delta on`,
      unit: 'ms',
      n: ours.pieces.pieces,
      p50: ours.pieces.p50,
      p95: ours.pieces.p95,
      p99: ours.pieces.p99,
      baseline: bare.pieces.p95,
      ratio: ours.pieces.p95 / bare.pieces.p95,
      note: `the generator's own event-loop delay p99 ${ours.pieces.loopDelayMs.toFixed(1)} ms, for the bare server ${bare.pieces.loopDelayMs.toFixed(1)} ms`,
    },
  ]
}

/** A thousand concurrent readers, whose answers a fake model writes at a known rate. */
export const streamsBench: Bench = {
  name: 'streams',
  run: async (options) => {
    const count = options.quick ? 300 : 1_000
    const store = await openStore(10_000, options)
    await using model = await startFakeModel()
    const bare = await (async () => {
      await using server = startBareServer()
      const plan = chatPlan(await server.ask<string>('listen', model.baseUrl), store)
      return await measureSide(bareSide(server, plan), model, count, options)
    })()
    using copy = copyOfStore(store)
    await using citewell = await startCitewell(copy.data, withModel(model))
    const side = citewellSide(citewell, chatPlan(citewell.address, store))
    return figuresOf(await measureSide(side, model, count, options), bare)
  },
}
