import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparePacked, packVectors } from './packed-vectors.ts'
import { toUnitLength } from './unit-length.ts'

const DIMENSIONS = 384

/** A direction whose axes are distributed like those of a text's vector. */
const direction = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => toUnitLength(Float32Array.from(values)))

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, axis) => sum + value * (right[axis] ?? 0), 0)

describe('packed vectors', () => {
  it('give approximately the cosines of the original vectors', () => {
    fc.assert(
      fc.property(fc.array(direction, { minLength: 1, maxLength: 5 }), direction, (vectors, question) => {
        const found = comparePacked(question)(packVectors(vectors))
        expect(found).toHaveLength(vectors.length)
        for (const [place, vector] of vectors.entries()) {
          expect(Math.abs((found[place] ?? 9) - cosine(vector, question))).toBeLessThan(0.02)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('take four bits per axis', () => {
    expect(packVectors([new Float32Array(DIMENSIONS), new Float32Array(DIMENSIONS)])).toHaveLength(DIMENSIONS)
  })

  it('may have an odd number of axes', () => {
    // Seven steps from 0 to the largest value: these are packed exactly.
    const vectors = [toUnitLength(Float32Array.of(7, -1, 2)), toUnitLength(Float32Array.of(-1, 2, 7))]
    const question = toUnitLength(Float32Array.of(1, 1, 4))
    const found = comparePacked(question)(packVectors(vectors))
    for (const [place, vector] of vectors.entries())
      expect(found[place]).toBeCloseTo(cosine(vector, question), 6)
  })

  it('give 0 for a vector of zeros, and an empty list for no vectors', () => {
    const question = toUnitLength(new Float32Array(DIMENSIONS).fill(1))
    expect(comparePacked(question)(packVectors([new Float32Array(DIMENSIONS)]))).toEqual([0])
    expect(comparePacked(question)(packVectors([]))).toEqual([])
  })
})
