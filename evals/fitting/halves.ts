/** One of two halves of a list: every other question. Weights fitted on one half are measured on the other. */
export type Half = (item: unknown, place: number) => boolean

export const even: Half = (_, place) => place % 2 === 0
export const odd: Half = (_, place) => place % 2 === 1
export const everything: Half = () => true

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
