import type { z } from 'zod'

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path of the first field that is not in the schema: parsing drops such fields, so a field missing afterwards was undeclared. */
function findUndeclared(value: unknown, parsed: unknown, path: string): string | undefined {
  if (Array.isArray(value) && Array.isArray(parsed)) {
    for (const [index, item] of value.entries()) {
      const found = findUndeclared(item, parsed[index], `${path}[${index}]`)
      if (found !== undefined) return found
    }
  } else if (isPlainObject(value) && isPlainObject(parsed)) {
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue
      if (!(key in parsed)) return `${path}.${key}`
      const found = findUndeclared(item, parsed[key], `${path}.${key}`)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/**
 * Validates a response against the contract: a missing, mistyped or undeclared field is our error.
 *
 * @throws Error that names the operation and the path
 */
export function validateResponse(schema: z.ZodType, value: unknown, operationId: string): unknown {
  // The value must already be plain JSON: a Date, which JSON would turn into text, must not pass, nor a Map, which would become `{}`.
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The response of ${operationId} does not match its schema. ${faults.join('; ')}`)
  }
  const undeclared = findUndeclared(value, parsed.data, '')
  if (undeclared !== undefined)
    throw new Error(`The response of ${operationId} has a field that is not in its schema: ${undeclared}`)
  return value
}
