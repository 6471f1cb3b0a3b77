/**
 * Processes several items concurrently and yields the results in the order of the items. If the caller stops early, work in flight is left
 * to finish in the background.
 */
export async function* mapInOrder<Given, Result>(
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
