import { expect, test } from 'vitest'
import { createUnstoredLanes } from './unstored-lanes.ts'

test('work of a lane runs in order, so much at a time over all lanes, and more than the most is refused', async () => {
  const lanes = createUnstoredLanes({ atOnce: 2, mostOfAChannel: 2, most: 5 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (lane: string, name: string) =>
    lanes.add({ lane, channel: lane }, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  const taken = [
    add('a', 'a1'),
    add('a', 'a2'),
    add('b', 'b1'),
    add('c', 'c1'),
    add('d', 'd1'),
    add('e', 'e1'),
  ]
  expect(taken).toEqual([true, true, true, true, true, false])
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await end('c1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'd1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2'])
  expect(add('e', 'e2')).toBe(true)
  await end('d1')
  await end('a2')
  await end('e2')
  await lanes.drained()
  expect(begun.at(-1)).toBe('e2')
})

test('a channel with many lanes keeps no other waiting, and the one with the least work is next', async () => {
  const lanes = createUnstoredLanes({ atOnce: 4, mostOfAChannel: 2, most: 20 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string) =>
    lanes.add({ lane: name, channel: name.charAt(0) }, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2', 'b2']) add(name)
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  for (const name of ['a1', 'b1']) {
    ends.get(name)?.()
    await settled()
  }
  // b has none then, and a and c have one each.
  expect(begun.slice(4)).toEqual(['a3', 'b2'])
  for (let at = 0; at < begun.length; at += 1) {
    ends.get(begun[at] ?? '')?.()
    await settled()
  }
  await lanes.drained()
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'c2'])
})
