/** Parses JSON text; returns `undefined` for invalid JSON. The only place that calls `JSON.parse`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
