import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clusterByLikeness, type Likeness } from './cluster-by-likeness.ts'

const { signal } = new AbortController()

/** Things on a line: two are alike as they are near. */
const onLine =
  (places: readonly number[]): Likeness =>
  (left) =>
    places.map((place) => 1 - Math.abs(place - (places[left] ?? 0)))

/** The same by the book: the two most alike groups are joined, until no two are alike enough. */
function byTheBook(places: readonly number[], from: number): number[][] {
  let groups = places.map((_, number) => [number])
  const mean = (left: number[], right: number[]) =>
    left
      .flatMap((one) => right.map((other) => 1 - Math.abs((places[one] ?? 0) - (places[other] ?? 0))))
      .reduce((sum, value) => sum + value, 0) /
    (left.length * right.length)
  for (;;) {
    const pairs = groups.flatMap((left, place) =>
      groups.slice(place + 1).map((right) => ({ left, right, likeness: mean(left, right) })),
    )
    const best = pairs.reduce<(typeof pairs)[number] | undefined>(
      (most, pair) => (pair.likeness > (most?.likeness ?? from) ? pair : most),
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

test('what is alike is together, what is not is apart', async () => {
  expect(await clusterByLikeness(5, onLine([0, 0.9, 0.05, 0.95, 0.5]), 0.8, signal)).toEqual([
    [0, 2],
    [1, 3],
    [4],
  ])
  expect(await clusterByLikeness(0, onLine([]), 0.8, signal)).toEqual([])
  expect(await clusterByLikeness(3, onLine([0, 0, 0]), 0.8, signal)).toEqual([[0, 1, 2]])
})

test('a chain of things that are each like the next is not one group', async () => {
  const groups = await clusterByLikeness(6, onLine([0, 0.1, 0.2, 0.3, 0.4, 0.5]), 0.85, signal)
  expect(groups.length).toBeGreaterThan(1)
})

test('the groups are those that joining the two most alike, again and again, gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 14 }),
      fc.constantFrom(0.5, 0.8, 0.95),
      async (places, from) => {
        expect(await clusterByLikeness(places.length, onLine(places), from, signal)).toEqual(
          sorted(byTheBook(places, from)),
        )
      },
    ),
    { numRuns: 100 },
  )
})
