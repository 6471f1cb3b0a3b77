import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { z } from 'zod'

const kept = new WeakMap<z.ZodType, StandardSchemaWithJSON>()

/**
 * The schema of a tool with a cached JSON Schema. A server is built for each request, and its library would generate the JSON Schema at
 * each listing and each call, which takes longer than everything else there. The schema contains nothing of a request.
 */
export function withCachedJsonSchema(schema: z.ZodType): StandardSchemaWithJSON {
  const known = kept.get(schema)
  if (known !== undefined) return known
  const standard = schema['~standard']
  const made = new Map<string, Record<string, unknown>>()
  const keep =
    (side: 'input' | 'output'): StandardSchemaWithJSON['~standard']['jsonSchema']['input'] =>
    (options) => {
      const name = `${side} ${options.target}`
      const json = made.get(name) ?? standard.jsonSchema[side](options)
      made.set(name, json)
      return json
    }
  const keeping: StandardSchemaWithJSON = {
    '~standard': { ...standard, jsonSchema: { input: keep('input'), output: keep('output') } },
  }
  kept.set(schema, keeping)
  return keeping
}
