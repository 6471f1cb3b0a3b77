/** What limits of this service left out of a document, as a part of it: nothing if there is nothing to tell. */
export function leftOutOf(told: Iterable<string>): { leftOut?: string[] } {
  const leftOut = [...new Set(told)]
  return leftOut.length === 0 ? {} : { leftOut }
}
