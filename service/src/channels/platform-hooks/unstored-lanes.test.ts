import { expect, test } from 'vitest'
import { createUnstoredLanes } from './unstored-lanes.ts'

test('work of a lane runs in order, so much at a time over all lanes, and more than the most is refused', async () => {
  const lanes = createUnstoredLanes({ atOnce: 2, most: 5 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (lane: string, name: string) =>
    lanes.add(lane, async () => {
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
