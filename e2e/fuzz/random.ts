/** Seeded randomness: the same seed gives the same run. */
export interface Random {
  /** An integer from 0 up to, but excluding, `below`. */
  int(below: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True with the probability `share`. */
  chance(share: number): boolean
}

/** A small generator (mulberry32): fast, and the same on every platform. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    pick: (items) => {
      if (items.length === 0) throw new Error('There is nothing to pick from.')
      return items[int(items.length)] as (typeof items)[number]
    },
    chance: (share) => next() < share,
  }
}
