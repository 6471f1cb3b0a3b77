/** Reads untrusted JSON: values that do not have the requested type count as missing. */
export type Json = Record<string, unknown>

export function recordIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, or a list of lines joined to one. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined
}
