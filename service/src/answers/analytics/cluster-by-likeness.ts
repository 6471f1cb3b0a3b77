/** How long the event loop may be held at a stretch. */
const HOLD_MS = 12

/** Lets other requests in, now and then. */
function createPauses(signal: AbortSignal) {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < HOLD_MS) return
    await new Promise((wake) => setImmediate(wake))
    signal.throwIfAborted()
    since = performance.now()
  }
}

/**
 * How alike one thing is to each of the others, by their numbers; only what stands behind its own number is read.
 * The same both ways, 0 to 1.
 */
export type Likeness = (left: number) => ArrayLike<number>

/** The likeness of every two of some things. */
async function likenesses(
  count: number,
  likenessOf: Likeness,
  pause: () => Promise<void>,
): Promise<Float32Array[]> {
  const rows = Array.from({ length: count }, () => new Float32Array(count))
  for (const [left, row] of rows.entries()) {
    const likeness = likenessOf(left)
    for (let right = left + 1; right < count; right += 1) {
      row[right] = likeness[right] ?? 0
      const mirrored = rows[right]
      if (mirrored !== undefined) mirrored[left] = row[right] ?? 0
    }
    await pause()
  }
  return rows
}

/** The open cluster most like this one; of equal ones `preferred`, else the first. */
function nearestTo(row: Float32Array, open: readonly number[], self: number, preferred: number | undefined) {
  let nearest = preferred
  let likeness = preferred === undefined ? Number.NEGATIVE_INFINITY : (row[preferred] ?? 0)
  for (const other of open) {
    const its = row[other] ?? 0
    if (other !== self && its > likeness) {
      nearest = other
      likeness = its
    }
  }
  return { nearest, likeness }
}

/**
 * Groups things by likeness: average linkage, cut where two groups are on average less alike than `from`. Exact, by chains of nearest
 * neighbours, in time and memory that grow with the square of `count`; the same groups every time.
 *
 * @param count - of the things, which are called by their numbers from 0
 * @returns groups of numbers, each in order, by their first numbers; every number is in one
 */
export async function clusterByLikeness(
  count: number,
  likenessOf: Likeness,
  from: number,
  signal: AbortSignal,
): Promise<number[][]> {
  const pause = createPauses(signal)
  const rows = await likenesses(count, likenessOf, pause)
  const members = rows.map((_, number) => [number])
  let open = rows.map((_, number) => number)
  const closed: number[][] = []
  const chain: number[] = []

  function close(cluster: number): void {
    closed.push(members[cluster] ?? [])
    open = open.filter((other) => other !== cluster)
  }

  /** Joins two clusters under the number of the first: its likeness to each other one is the mean over all its members. */
  function join(kept: number, gone: number): void {
    const [own, other] = [members[kept] ?? [], members[gone] ?? []]
    const [row, gonesRow] = [rows[kept], rows[gone]]
    const size = own.length + other.length
    open = open.filter((cluster) => cluster !== gone)
    for (const cluster of open) {
      const mean = ((row?.[cluster] ?? 0) * own.length + (gonesRow?.[cluster] ?? 0) * other.length) / size
      if (row !== undefined) row[cluster] = mean
      const mirrored = rows[cluster]
      if (mirrored !== undefined) mirrored[kept] = mean
    }
    members[kept] = [...own, ...other]
  }

  while (open.length > 0) {
    await pause()
    const top = chain.at(-1) ?? open[0] ?? 0
    if (chain.length === 0) chain.push(top)
    const previous = chain.at(-2)
    const { nearest, likeness } = nearestTo(rows[top] ?? new Float32Array(), open, top, previous)
    if (nearest === undefined || likeness < from) {
      // Whatever the others become, none of it will be more like this one: averages do not rise above their parts.
      close(top)
      chain.pop()
    } else if (nearest === previous) {
      chain.splice(-2)
      join(Math.min(top, previous), Math.max(top, previous))
    } else {
      chain.push(nearest)
    }
  }
  return closed
    .map((numbers) => numbers.toSorted((left, right) => left - right))
    .toSorted((left, right) => (left[0] ?? 0) - (right[0] ?? 0))
}
