import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** A JSON Schema (2020-12), as far as the contract uses it. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  additionalProperties?: boolean | JsonSchema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

const COMPONENTS = '#/components/schemas/'

/** Self-explanatory formats: their regular expressions are noise to a reader. */
const SELF_EVIDENT = new Set(['uuid', 'date-time', 'uri'])

const isSmall = ({ minimum, maximum }: JsonSchema) =>
  maximum !== undefined && maximum < 2 ** 31 && (minimum ?? -1) >= -(2 ** 31)

function simplify(zodSchema: z.core.$ZodType, schema: JsonSchema, io: 'input' | 'output'): void {
  if (schema.format !== undefined && SELF_EVIDENT.has(schema.format)) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.type === 'integer') schema.format = isSmall(schema) ? 'int32' : 'int64'
  // A later version may return more fields: clients must not rely on their absence.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // The fallback for an invalid value is not a default.
  if (zodSchema instanceof z.ZodCatch) delete schema.default
  // Zod drops the examples of transformed schemas, treating them as outputs; ours are inputs.
  const examples = z.globalRegistry.get(zodSchema)?.['examples']
  if (Array.isArray(examples)) schema.examples = examples
}

/** `anyOf: [{ type: 'string' }, { type: 'null' }]` is `type: ['string', 'null']`, which is easier to read. */
function withPlainNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [inner, last] = anyOf as [JsonSchema, JsonSchema]
  if (last.type !== 'null' || typeof inner.type !== 'string' || inner.const !== undefined) return schema
  const nullable = { ...inner, type: [inner.type, 'null'] }
  return { ...nullable, ...(inner.enum !== undefined && { enum: [...inner.enum, null] }), ...rest }
}

/** Keywords that hold values, not schemas: left unchanged. */
const HOLDS_VALUES = new Set(['examples', 'default', 'const', 'enum', 'required'])

/** Rewrites `#/$defs/Citation` to `#/components/schemas/Citation` and simplifies nullable types, recursively. */
function tidy<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(tidy) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    if (key === '$ref' && typeof item === 'string') return [key, item.replace('#/$defs/', COMPONENTS)]
    if (key === 'properties') return [key, tidyEach(item as Record<string, JsonSchema>)]
    return [key, HOLDS_VALUES.has(key) ? item : tidy(item)]
  })
  return withPlainNull(Object.fromEntries(entries) as Record<string, unknown>) as Value
}

/** Field names may be `examples` or `default` too: their values are schemas like the others. */
const tidyEach = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, tidy(schema)]))

/** Collects the named schemas of a document while it converts zod schemas to JSON Schemas that refer to them. */
export function createJsonSchemas() {
  const components: Record<string, JsonSchema> = {}

  function keep(name: string, schema: JsonSchema): void {
    const known = components[name]
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(
        `Two schemas are named ${name}, or one has different shapes for input and output: give them different names.`,
      )
    components[name] = schema
  }

  return {
    /** By name, for `components.schemas`. */
    components,
    /** `input`: what may be sent. `output`: what is returned, with defaults filled in. */
    schemaOf: (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
      const made = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema as JsonSchema, io),
      }) as JsonSchema & { $schema?: string; $defs?: Record<string, JsonSchema> }
      const { $schema: _, $defs, ...root } = made
      for (const [name, definition] of Object.entries($defs ?? {})) keep(name, tidy(definition))
      return tidy(root)
    },
  }
}

/** The name that a `$ref` refers to. */
export const nameOfRef = (ref: string): string => ref.slice(COMPONENTS.length)
