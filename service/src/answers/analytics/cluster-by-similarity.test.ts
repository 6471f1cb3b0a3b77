import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clusterBySimilarity, type SimilarityOf } from './cluster-by-similarity.ts'

const { signal } = new AbortController()

/** Points on a line: their similarity decreases with distance. */
const onLine =
  (places: readonly number[]): SimilarityOf =>
  (left) =>
    places.map((index) => 1 - Math.abs(index - (places[left] ?? 0)))

/** Naive reference: joins the two most similar groups until no two are similar enough. */
function naiveClusters(places: readonly number[], from: number): number[][] {
  let groups = places.map((_, number) => [number])
  const mean = (left: number[], right: number[]) =>
    left
      .flatMap((one) => right.map((other) => 1 - Math.abs((places[one] ?? 0) - (places[other] ?? 0))))
      .reduce((sum, value) => sum + value, 0) /
    (left.length * right.length)
  for (;;) {
    const pairs = groups.flatMap((left, index) =>
      groups.slice(index + 1).map((right) => ({ left, right, similarity: mean(left, right) })),
    )
    const best = pairs.reduce<(typeof pairs)[number] | undefined>(
      (most, pair) => (pair.similarity > (most?.similarity ?? from) ? pair : most),
      undefined,
    )
    if (best === undefined) return groups
    groups = [
      ...groups.filter((group) => group !== best.left && group !== best.right),
      [...best.left, ...best.right],
    ]
  }
}

const sorted = (groups: number[][]) =>
  groups
    .map((group) => group.toSorted((left, right) => left - right))
    .toSorted((left, right) => (left[0] ?? 0) - (right[0] ?? 0))

test('similar items are in one group, dissimilar ones are not', async () => {
  expect(await clusterBySimilarity(5, onLine([0, 0.9, 0.05, 0.95, 0.5]), 0.8, signal)).toEqual([
    [0, 2],
    [1, 3],
    [4],
  ])
  expect(await clusterBySimilarity(0, onLine([]), 0.8, signal)).toEqual([])
  expect(await clusterBySimilarity(3, onLine([0, 0, 0]), 0.8, signal)).toEqual([[0, 1, 2]])
})

test('a chain of items that are each similar only to the next is not one group', async () => {
  const groups = await clusterBySimilarity(6, onLine([0, 0.1, 0.2, 0.3, 0.4, 0.5]), 0.85, signal)
  expect(groups.length).toBeGreaterThan(1)
})

test('the groups equal those of naive average linkage', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 14 }),
      fc.constantFrom(0.5, 0.8, 0.95),
      async (places, from) => {
        expect(await clusterBySimilarity(places.length, onLine(places), from, signal)).toEqual(
          sorted(naiveClusters(places, from)),
        )
      },
    ),
    { numRuns: 100 },
  )
})
