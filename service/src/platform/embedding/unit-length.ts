/** Scales a vector to length 1, so that a dot product is a cosine. A vector of zeros stays as it is. */
export function toUnitLength(vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}
