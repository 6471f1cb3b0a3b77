import { expect, test } from 'vitest'
import { createFairQueue, type Queued } from './fair-queue.ts'
import type { ParseShare } from './parse-share.ts'
import { createParserAdmission } from './parser-admission.ts'

const share = (workspaceId: string, knowledgeBaseId: string, isAwaited = false): ParseShare => ({
  workspaceId,
  knowledgeBaseId,
  isAwaited,
})
const item = (of: ParseShare, bytes: number): Queued => ({ share: of, bytes })
const any = () => true

test('workspaces take turns, and within a workspace its bases', () => {
  const queue = createFairQueue()
  for (let count = 0; count < 10; count += 1) queue.add(item(share('one', 'a'), 1))
  queue.add(item(share('one', 'b'), 1))
  for (let count = 0; count < 3; count += 1) queue.add(item(share('two', 'c'), 1))
  const order = Array.from({ length: 6 }, () => queue.take(any)?.share.knowledgeBaseId)
  expect(order).toEqual(['a', 'c', 'b', 'c', 'a', 'c'])
})

test('the smallest item of a base goes first, but the oldest is not passed over indefinitely', () => {
  const queue = createFairQueue()
  queue.add(item(share('one', 'a'), 1_000))
  for (let bytes = 1; bytes <= 10; bytes += 1) queue.add(item(share('one', 'a'), bytes))
  const order = Array.from({ length: 6 }, () => queue.take(any)?.bytes)
  expect(order).toEqual([1, 2, 3, 4, 1_000, 5])
})

test('a removed item is not returned, and waiting items are counted', () => {
  const queue = createFairQueue()
  const [first, second] = [item(share('one', 'a'), 5), item(share('one', 'a'), 7)]
  queue.add(first)
  queue.add(second)
  expect(queue.queueSizeOf(share('one', 'a'))).toEqual({ count: 2, bytes: 12 })
  queue.remove(first)
  queue.remove(first)
  expect(queue.take(any)).toBe(second)
  expect(queue.take(any)).toBeUndefined()
  expect(queue.queueSizeOf(share('one', 'a'))).toEqual({ count: 0, bytes: 0 })
})

test('of several parsers a base gets one for its syncs, and one is reserved for awaited work', () => {
  const turns = createParserAdmission(3)
  turns.begin(share('one', 'a'))
  expect(turns.mayStart(share('one', 'a'))).toBe(false)
  expect(turns.mayStart(share('one', 'a', true))).toBe(true)
  turns.begin(share('two', 'b'))
  expect(turns.mayStart(share('three', 'c'))).toBe(false)
  expect(turns.mayStart(share('three', 'c', true))).toBe(true)
  turns.begin(share('three', 'c', true))
  expect(turns.mayStart(share('four', 'd', true))).toBe(false)
  turns.end(share('three', 'c', true))
})

test('a workspace never gets all parsers, however many bases it has', () => {
  const turns = createParserAdmission(3)
  turns.begin(share('one', 'a', true))
  turns.begin(share('one', 'b', true))
  expect(turns.mayStart(share('one', 'c', true))).toBe(false)
  expect(turns.mayStart(share('two', 'd', true))).toBe(true)
})
