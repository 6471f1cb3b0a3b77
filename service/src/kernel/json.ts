/** Parses JSON text that may be broken: `undefined` when it is. The only place that calls `JSON.parse`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
