import type { Endpoint } from '@citewell/contract/endpoint'
import { z } from 'zod'

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  minLength?: number
  minimum?: number
  format?: string
}

const made = new WeakMap<Endpoint, unknown>()

/**
 * A valid body for an endpoint, made from its schema: its first example, or else the smallest value that it allows.
 *
 * @throws Error if the schema has a condition that JSON Schema cannot express: then add a body to `BODIES` of the test
 */
export function sampleBody(endpoint: Endpoint): unknown {
  // Made once: a test sends it to each endpoint many times.
  if (!made.has(endpoint)) made.set(endpoint, makeBody(endpoint))
  return structuredClone(made.get(endpoint))
}

function makeBody({ body, operationId }: Endpoint): unknown {
  if (body === undefined) return undefined
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const sample = sampleOf(schema, schema.$defs ?? {})
  const parsed = body.safeParse(sample)
  if (parsed.success) return sample
  throw new Error(
    `${operationId}: its body cannot be made from its schema (${JSON.stringify(sample)}: ${parsed.error.message}). Give its schema an example, or add one to BODIES.`,
  )
}

function sampleOf(schema: JsonSchema, defs: Record<string, JsonSchema>): unknown {
  const { $ref: reference, ...own } = schema
  if (reference !== undefined) return sampleOf({ ...defs[reference.replace('#/$defs/', '')], ...own }, defs)
  const [said] = [...(schema.examples ?? []), ...(schema.enum ?? [])]
  if (schema.const !== undefined || said !== undefined) return schema.const ?? said
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice !== undefined) return sampleOf(choice, defs)
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, defs) as object)) as unknown
  }
  return leastOf(schema, defs)
}

/** The smallest value that the type of a schema allows. */
function leastOf(schema: JsonSchema, defs: Record<string, JsonSchema>): unknown {
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {})
      const required = entries.filter(([name]) => schema.required?.includes(name) === true)
      // A change must change something.
      const chosen = required.length === 0 ? entries.slice(0, 1) : required
      return Object.fromEntries(chosen.map(([name, property]) => [name, sampleOf(property, defs)]))
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}, defs))
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'string':
      return 'sample'.padEnd(schema.minLength ?? 0, '-')
    case undefined:
    default:
      return null
  }
}
