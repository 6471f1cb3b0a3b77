/** A small pseudo-random number generator (mulberry32): the same seed gives the same numbers on every machine. */
export interface Random {
  /** From 0 to 1, excluding 1. */
  next(): number
  /** An integer from 0, below `count`. */
  below(count: number): number
  /** An item of the list; the n-th has a probability proportional to 1/n, like words of a language. */
  byRank<Item>(list: readonly Item[]): Item
  /** From the normal distribution. */
  normal(): number
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (count) => Math.floor(next() * count),
    // The harmonic sum is inverted with its logarithm: close enough to Zipf's law, without a table.
    byRank: <Item>(list: readonly Item[]): Item => {
      const place = Math.min(list.length - 1, Math.floor((list.length + 1) ** next()) - 1)
      const item = list[place]
      if (item === undefined) throw new Error('The list is empty.')
      return item
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
