import { describe, expect, it } from 'vitest'
import { createEmbeddingQueue } from './embedding-queue.ts'
import type { EmbeddingReply } from './embedding-messages.ts'

/** A queue whose texts are embedded when the test asks for it. */
function makeQueue() {
  const begun: string[] = []
  const replies: EmbeddingReply[] = []
  const finishes: (() => void)[] = []
  const queue = createEmbeddingQueue({
    embed: async (_purpose, text) => {
      begun.push(String(text))
      await new Promise<void>((resolve) => finishes.push(resolve))
      if (text === 'bad') throw new Error('no such text')
      return Float32Array.of(String(text).length)
    },
    answer: (reply) => replies.push(reply),
  })
  const finishOne = async () => {
    finishes.shift()?.()
    await new Promise(setImmediate)
  }
  return { queue, begun, replies, finishOne }
}

describe('the embedding queue', () => {
  it('puts a query before waiting passages, after the one in progress', async () => {
    const { queue, begun, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 1, purpose: 'passage', texts: ['one', 'two', 'three'], line: 'a' })
    queue.accept({ kind: 'embed', id: 2, purpose: 'query', texts: ['question'], line: 'a' })
    await finishOne()
    await finishOne()
    expect(begun).toEqual(['one', 'question', 'two'])
  })

  it('alternates between the passages of several knowledge bases, one text at a time', async () => {
    const { queue, begun, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 1, purpose: 'passage', texts: ['a1', 'a2', 'a3'], line: 'a' })
    queue.accept({ kind: 'embed', id: 2, purpose: 'passage', texts: ['a4'], line: 'a' })
    queue.accept({ kind: 'embed', id: 3, purpose: 'passage', texts: ['b1', 'b2'], line: 'b' })
    for (let text = 0; text < 6; text += 1) await finishOne()
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('lets a passage through after several consecutive queries', async () => {
    const { queue, begun, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 1, purpose: 'passage', texts: ['one', 'two'], line: 'a' })
    for (let id = 2; id < 30; id += 1)
      queue.accept({ kind: 'embed', id, purpose: 'query', texts: ['question'], line: '' })
    for (let text = 0; text < 12; text += 1) await finishOne()
    expect(begun).toContain('two')
  })

  it('returns the vectors in the order of the texts', async () => {
    const { queue, replies, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 7, purpose: 'passage', texts: ['a', 'bb'], line: 'a' })
    await finishOne()
    expect(replies).toEqual([])
    await finishOne()
    expect(replies).toEqual([{ kind: 'embedded', id: 7, vectors: [Float32Array.of(1), Float32Array.of(2)] }])
  })

  it('continues with the next request when a text fails', async () => {
    const { queue, begun, replies, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 1, purpose: 'passage', texts: ['bad', 'never'], line: 'a' })
    queue.accept({ kind: 'embed', id: 2, purpose: 'passage', texts: ['next'], line: 'a' })
    await finishOne()
    await finishOne()
    expect(begun).toEqual(['bad', 'next'])
    expect(replies).toEqual([
      { kind: 'fault', id: 1, message: 'no such text' },
      { kind: 'embedded', id: 2, vectors: [Float32Array.of(4)] },
    ])
  })

  it('drops a cancelled request, even when some of its texts are already embedded', async () => {
    const { queue, begun, replies, finishOne } = makeQueue()
    queue.accept({ kind: 'embed', id: 1, purpose: 'passage', texts: ['one', 'two'], line: 'a' })
    queue.accept({ kind: 'embed', id: 2, purpose: 'passage', texts: ['three'], line: 'a' })
    queue.accept({ kind: 'cancel', id: 1 })
    await finishOne()
    await finishOne()
    expect(begun).toEqual(['one', 'three'])
    expect(replies).toEqual([{ kind: 'embedded', id: 2, vectors: [Float32Array.of(5)] }])
  })
})
