/** Computes the reading of each object once, and caches it for as long as the object is referenced. */
export function cachedReading<Read extends object, Reading>(read: (of: Read) => Reading) {
  const known = new WeakMap<Read, Reading>()
  return (of: Read): Reading => {
    const found = known.get(of)
    if (found !== undefined) return found
    const reading = read(of)
    known.set(of, reading)
    return reading
  }
}
