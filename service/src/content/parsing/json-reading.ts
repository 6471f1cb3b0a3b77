/** JSON of somebody else's making, read without trust: what is not of the shape asked for counts as not there. */
export type Json = Record<string, unknown>

export function recordIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, or lines in a list that make one. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined
}
