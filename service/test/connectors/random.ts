/** Repeatable randomness: a test prints its seed. */
export interface Random {
  /** From 0 up to, but not including, the limit. */
  below(limit: number): number
  of<Item>(items: readonly Item[]): Item
  words(count: number): string
}

const WORDS =
  'rotate key portal invoice widget limit region backup quota webhook tenant schema retry latency export import badge filter ledger anchor'.split(
    ' ',
  )

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const of = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }
  return { below, of, words: (count) => Array.from({ length: count }, () => of(WORDS)).join(' ') }
}
