/**
 * Works on several things at once and yields the results in the things' own order. What is ahead when the caller stops is
 * left to end by itself.
 */
export async function* inOrder<Given, Result>(
  given: Iterable<Given>,
  ahead: number,
  work: (one: Given) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const window: Promise<Result>[] = []
  const iterator = given[Symbol.iterator]()
  for (;;) {
    while (window.length < ahead) {
      const next = iterator.next()
      if (next.done === true) break
      const result = work(next.value)
      result.catch(() => {})
      window.push(result)
    }
    const head = window.shift()
    if (head === undefined) return
    yield await head
  }
}
