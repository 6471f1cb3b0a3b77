import { createRandom, type Random } from '../fuzz/random.ts'
import { HOSTILE_SHAPES } from '../../service/test/hostile-shapes.ts'
import { ENTRY_POINTS } from './entry-points.ts'
import { createHostileWorld, type HostileWorld, type WorldWanted } from './hostile-world.ts'
import { mutateShape } from './mutate-shape.ts'
import type { Watched } from './watch-service.ts'

export interface HostileRun extends WorldWanted {
  seed: number
  /** Duration of the run; it ends with the round in progress at that time. */
  seconds: number
  /** Instead of random rounds: every shape in this size through every entry point, once and unmutated. */
  everyShapeOf?: number
  /** Maximum duration of `/healthz`, not counting the time in which the machine gave the service no core. */
  stallMs: number
  /** Maximum growth of resident memory over that of the first round. */
  growthMebibytes: number
  onRound?: (line: string) => void
}

export interface HostileFinding {
  seed: number
  entryPoint: string
  shape: string
  size: number
  fault: string
}

export interface HostileReport {
  seed: number
  models: WorldWanted['models']
  rounds: number
  byEntrance: Record<string, Record<string, number>>
  worstStallMs: number
  /** Resident memory of the service's process, alone and with its children. */
  mebibytes: { first: number; peak: number; firstWithChildren: number; peakWithChildren: number }
  findings: HostileFinding[]
}

const HARMLESS = 'The valve is turned to the left, and then to the right. '.repeat(8_000)

const SMALLEST = 1_000
const LARGEST = 1_000_000

interface Round {
  seed: number
  entryPoint: string
  shape: string
  size: number
  text: string
  random: Random
}

/** A round depends only on its seed, so that it can be reproduced. */
function randomRound(seed: number, entryPoint: string): Round {
  const random = createRandom(seed)
  const shapes = Object.keys(HOSTILE_SHAPES)
  const shape = random.pick(shapes)
  const size = Math.round(SMALLEST * (LARGEST / SMALLEST) ** (random.int(1_000) / 999))
  const other = HOSTILE_SHAPES[random.pick(shapes)]?.(Math.min(size, 20_000)) ?? ''
  const text = mutateShape(HOSTILE_SHAPES[shape]?.(size) ?? '', other, size, random)
  return { seed, entryPoint, shape, size, text, random }
}

function* roundsOf({ seed, everyShapeOf }: HostileRun): Generator<Round> {
  const entrances = Object.keys(ENTRY_POINTS)
  if (everyShapeOf === undefined) {
    for (let number = 0; ; number += 1)
      yield randomRound(seed + number, entrances[number % entrances.length] ?? '')
  }
  for (const [shape, make] of Object.entries(HOSTILE_SHAPES)) {
    const text = make(everyShapeOf)
    for (const entryPoint of entrances) {
      yield { seed, entryPoint, shape, size: everyShapeOf, text, random: createRandom(seed) }
    }
  }
}

async function enter(world: HostileWorld, { entryPoint, text, random }: Round) {
  try {
    return { ended: (await ENTRY_POINTS[entryPoint]?.(world, text, random)) ?? '' }
  } catch (error) {
    // `fetch` says why only in the cause.
    const because = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return {
      ended: 'no answer',
      fault: `${error instanceof Error ? error.message : String(error)}${because}`,
    }
  }
}

/** Limits of the service that a round violated. */
function faultsOf(ended: string, seen: Watched, firstMebibytes: number, given: HostileRun): string[] {
  const faults: string[] = []
  if (seen.worst.milliseconds > given.stallMs) {
    faults.push(`/healthz took ${seen.worst.milliseconds} ms (${seen.worst.seen} with waiting for a core)`)
  }
  if (seen.failures > 0) faults.push(`/healthz failed ${seen.failures} times`)
  if (seen.peakMebibytes.service > firstMebibytes + given.growthMebibytes) {
    faults.push(`memory grew from ${firstMebibytes} to ${seen.peakMebibytes.service} MiB`)
  }
  if (/\b500\b/.test(ended)) faults.push(`answered ${ended}`)
  return faults
}

/** Errors in the log, and an unexpected exit of the service. */
function faultsInLog({ service }: HostileWorld): string[] {
  const errors = service
    .log()
    .split('\n')
    // A model that exceeds its limits is logged for the operator, and is not an error of the service.
    .filter((line) => line.includes('"level":50') && !line.includes('"type":"ModelFailure"'))
    .map((line) => line.slice(0, 600))
  return service.process.exitCode === null
    ? errors
    : [...errors, `The service ended with ${service.process.exitCode}:\n${service.log().slice(-2_000)}`]
}

/** Goes through all entry points in turn with random mutated shapes, until the time is over. */
export async function runHostileContent(given: HostileRun): Promise<HostileReport> {
  await using world = await createHostileWorld(given)
  // Warm-up: harmless content of the same size through every entry point, so that one-time growth is not counted.
  for (const each of Object.values(ENTRY_POINTS)) await each(world, HARMLESS, createRandom(1))
  const first = (await world.watch.read()).nowMebibytes
  const report: HostileReport = {
    seed: given.seed,
    models: given.models,
    rounds: 0,
    byEntrance: {},
    worstStallMs: 0,
    mebibytes: {
      first: first.service,
      peak: first.service,
      firstWithChildren: first.tree,
      peakWithChildren: first.tree,
    },
    findings: [],
  }
  const endsAt = Date.now() + given.seconds * 1_000
  for (const round of roundsOf(given)) {
    if (Date.now() > endsAt || world.service.process.exitCode !== null) break
    const { seed, entryPoint, shape, size } = round
    report.rounds += 1
    const startedAt = Date.now()
    const { ended, fault } = await enter(world, round)
    const seen = await world.watch.read()
    const counts = (report.byEntrance[entryPoint] ??= {})
    counts[ended] = (counts[ended] ?? 0) + 1
    report.worstStallMs = Math.max(report.worstStallMs, seen.worst.milliseconds)
    report.mebibytes.peak = Math.max(report.mebibytes.peak, seen.peakMebibytes.service)
    report.mebibytes.peakWithChildren = Math.max(report.mebibytes.peakWithChildren, seen.peakMebibytes.tree)
    const faults = faultsOf(ended, seen, first.service, given)
    if (fault !== undefined) faults.push(fault)
    for (const each of faults) report.findings.push({ seed, entryPoint, shape, size, fault: each })
    given.onRound?.(
      `${seed} ${entryPoint}: ${shape} × ${size}: ${ended}, ${Date.now() - startedAt} ms, health ${seen.worst.milliseconds} ms, ${seen.nowMebibytes.service} MiB (${seen.peakMebibytes.tree} at most with children) ${faults.join('; ')}`,
    )
  }
  for (const fault of faultsInLog(world))
    report.findings.push({ seed: given.seed, entryPoint: '', shape: '', size: 0, fault })
  return report
}
