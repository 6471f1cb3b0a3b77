/** Maximum time in milliseconds without yielding to the event loop. */
const MAX_BLOCKING_MS = 12

/** Yields to other requests from time to time. */
function createPauses(signal: AbortSignal) {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return
    await new Promise((wake) => setImmediate(wake))
    signal.throwIfAborted()
    since = performance.now()
  }
}

/**
 * The similarity of one item to each of the others, by index; only entries after its own index are read.
 * Symmetric, 0 to 1.
 */
export type SimilarityOf = (left: number) => ArrayLike<number>

/** The similarity matrix of all pairs. */
async function similarityMatrix(
  count: number,
  likenessOf: SimilarityOf,
  pause: () => Promise<void>,
): Promise<Float32Array[]> {
  const rows = Array.from({ length: count }, () => new Float32Array(count))
  for (const [left, row] of rows.entries()) {
    const similarity = likenessOf(left)
    for (let right = left + 1; right < count; right += 1) {
      row[right] = similarity[right] ?? 0
      const mirrored = rows[right]
      if (mirrored !== undefined) mirrored[left] = row[right] ?? 0
    }
    await pause()
  }
  return rows
}

/** The open cluster most similar to this one; of equal ones `preferred`, else the first. */
function nearestTo(row: Float32Array, open: readonly number[], self: number, preferred: number | undefined) {
  let nearest = preferred
  let similarity = preferred === undefined ? Number.NEGATIVE_INFINITY : (row[preferred] ?? 0)
  for (const other of open) {
    const its = row[other] ?? 0
    if (other !== self && its > similarity) {
      nearest = other
      similarity = its
    }
  }
  return { nearest, similarity }
}

/**
 * Groups items by similarity: average linkage, cut where two groups are on average less similar than `from`. Exact, by the
 * nearest-neighbour chain algorithm, with time and memory quadratic in `count`; deterministic.
 *
 * @param count - number of items, which are named by their index from 0
 * @returns groups of indexes, each sorted, ordered by their first index; every index is in exactly one
 */
export async function clusterBySimilarity(
  count: number,
  likenessOf: SimilarityOf,
  from: number,
  signal: AbortSignal,
): Promise<number[][]> {
  const pause = createPauses(signal)
  const rows = await similarityMatrix(count, likenessOf, pause)
  const members = rows.map((_, number) => [number])
  let open = rows.map((_, number) => number)
  const closed: number[][] = []
  const chain: number[] = []

  function close(cluster: number): void {
    closed.push(members[cluster] ?? [])
    open = open.filter((other) => other !== cluster)
  }

  /** Merges two clusters under the index of the first: its similarity to each other cluster is the mean over all its members. */
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
    const { nearest, similarity } = nearestTo(rows[top] ?? new Float32Array(), open, top, previous)
    if (nearest === undefined || similarity < from) {
      // No later merge can be more similar to this one: an average does not exceed its parts.
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
