import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnswerStream } from './answer-stream.ts'

const TEXT = 'See [5] and [2], then [5][12], `list[0]` and [a page](https://docs.example.com/a). [x'
const PRINTED = 'See [1] and [2], then [1][3], `list[0]` and a page. [x'

test('sources are numbered from 1 in the order in which they appear, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 20 }), (cuts) => {
      const stream = createAnswerStream()
      stream.offer([2, 5, 12])
      let printed = ''
      let from = 0
      for (const to of [...cuts.toSorted((left, right) => left - right), TEXT.length]) {
        printed += stream.take(TEXT.slice(from, to))
        from = to
      }
      expect(printed + stream.end()).toBe(PRINTED)
    }),
  )
})

test('what has no end is printed all the same', () => {
  const stream = createAnswerStream()
  const printed = stream.take(`[${'x'.repeat(10_000)}`)
  expect((printed + stream.end()).length).toBe(10_001)
})
