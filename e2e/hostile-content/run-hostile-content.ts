import { createRandom, type Random } from '../fuzz/random.ts'
import { HOSTILE_SHAPES } from '../../service/test/hostile-shapes.ts'
import { ENTRANCES } from './entrances.ts'
import { createHostileWorld, type HostileWorld, type WorldWanted } from './hostile-world.ts'
import { mutateShape } from './mutate-shape.ts'
import type { Watched } from './watch-service.ts'

export interface HostileRun extends WorldWanted {
  seed: number
  /** It ends with the round that is under way when they are over. */
  seconds: number
  /** Every shape in this size through every entrance, once and as it is, instead of chance. */
  everyShapeOf?: number
  /** `/healthz` must not take longer, less the time in which the machine gave the service no core. */
  stallMs: number
  /** Resident memory must not grow by more over that of the first round. */
  growthMebibytes: number
  onRound?: (line: string) => void
}

export interface HostileFinding {
  seed: number
  entrance: string
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
  /** Resident memory of the service's process, and of it with its children. */
  mebibytes: { first: number; peak: number; firstWithChildren: number; peakWithChildren: number }
  findings: HostileFinding[]
}

const HARMLESS = 'The valve is turned to the left, and then to the right. '.repeat(8_000)

const SMALLEST = 1_000
const LARGEST = 1_000_000

interface Round {
  seed: number
  entrance: string
  shape: string
  size: number
  text: string
  random: Random
}

/** A round depends on its seed alone, so that one can be repeated. */
function randomRound(seed: number, entrance: string): Round {
  const random = createRandom(seed)
  const shapes = Object.keys(HOSTILE_SHAPES)
  const shape = random.pick(shapes)
  const size = Math.round(SMALLEST * (LARGEST / SMALLEST) ** (random.int(1_000) / 999))
  const other = HOSTILE_SHAPES[random.pick(shapes)]?.(Math.min(size, 20_000)) ?? ''
  const text = mutateShape(HOSTILE_SHAPES[shape]?.(size) ?? '', other, size, random)
  return { seed, entrance, shape, size, text, random }
}

function* roundsOf({ seed, everyShapeOf }: HostileRun): Generator<Round> {
  const entrances = Object.keys(ENTRANCES)
  if (everyShapeOf === undefined) {
    for (let number = 0; ; number += 1)
      yield randomRound(seed + number, entrances[number % entrances.length] ?? '')
  }
  for (const [shape, make] of Object.entries(HOSTILE_SHAPES)) {
    const text = make(everyShapeOf)
    for (const entrance of entrances) {
      yield { seed, entrance, shape, size: everyShapeOf, text, random: createRandom(seed) }
    }
  }
}

async function enter(world: HostileWorld, { entrance, text, random }: Round) {
  try {
    return { ended: (await ENTRANCES[entrance]?.(world, text, random)) ?? '' }
  } catch (error) {
    return { ended: 'no answer', fault: error instanceof Error ? error.message : String(error) }
  }
}

/** What a round did to the service that it must not do. */
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

/** What its log and its end say against the service. */
function faultsInLog({ service }: HostileWorld): string[] {
  const errors = service
    .log()
    .split('\n')
    // A model that does too much is told to whoever runs the service, and is no fault of it.
    .filter((line) => line.includes('"level":50') && !line.includes('"type":"ModelFailure"'))
    .map((line) => line.slice(0, 600))
  return service.process.exitCode === null
    ? errors
    : [...errors, `The service ended with ${service.process.exitCode}:\n${service.log().slice(-2_000)}`]
}

/** Goes through all entrances in turn with shapes of random size, mutated, until the time is over. */
export async function runHostileContent(given: HostileRun): Promise<HostileReport> {
  await using world = await createHostileWorld(given)
  // Once through every entrance with something harmless of the size of the others: what is loaded and grown then is no growth.
  for (const each of Object.values(ENTRANCES)) await each(world, HARMLESS, createRandom(1))
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
    const { seed, entrance, shape, size } = round
    report.rounds += 1
    const startedAt = Date.now()
    const { ended, fault } = await enter(world, round)
    const seen = await world.watch.read()
    const counts = (report.byEntrance[entrance] ??= {})
    counts[ended] = (counts[ended] ?? 0) + 1
    report.worstStallMs = Math.max(report.worstStallMs, seen.worst.milliseconds)
    report.mebibytes.peak = Math.max(report.mebibytes.peak, seen.peakMebibytes.service)
    report.mebibytes.peakWithChildren = Math.max(report.mebibytes.peakWithChildren, seen.peakMebibytes.tree)
    const faults = faultsOf(ended, seen, first.service, given)
    if (fault !== undefined) faults.push(fault)
    for (const each of faults) report.findings.push({ seed, entrance, shape, size, fault: each })
    given.onRound?.(
      `${seed} ${entrance}: ${shape} × ${size}: ${ended}, ${Date.now() - startedAt} ms, health ${seen.worst.milliseconds} ms, ${seen.nowMebibytes.service} MiB (${seen.peakMebibytes.tree} at most with children) ${faults.join('; ')}`,
    )
  }
  for (const fault of faultsInLog(world))
    report.findings.push({ seed: given.seed, entrance: '', shape: '', size: 0, fault })
  return report
}
