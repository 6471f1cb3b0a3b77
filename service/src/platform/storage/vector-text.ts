/** pgvector's text form, `[0.1,0.2]`; seven digits hold the full precision of a 32-bit float. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (component) => Number(component.toPrecision(7))).join(',')}]`

export const vectorOfText = (text: string): Float32Array =>
  Float32Array.from(text.slice(1, -1).split(','), Number)
