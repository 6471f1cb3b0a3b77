/** pgvector's text form, `[0.1,0.2]`; seven digits are all that a 32-bit float holds. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (component) => Number(component.toPrecision(7))).join(',')}]`

export const vectorOfText = (text: string): Float32Array =>
  Float32Array.from(text.slice(1, -1).split(','), Number)
