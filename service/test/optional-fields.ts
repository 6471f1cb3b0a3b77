import type { Endpoint } from '@citewell/contract/endpoint'
import { z } from 'zod'

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
}

/** Where a field is in a body: names of objects, and `0` in a list. */
export type FieldPath = readonly string[]

/** Every field of a body that may be left out, also inside its objects and lists. */
export function optionalFields({ body }: Endpoint): FieldPath[] {
  if (body === undefined) return []
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return optionalIn(schema, schema.$defs ?? {}, [])
}

function optionalIn(schema: JsonSchema, defs: Record<string, JsonSchema>, at: FieldPath): FieldPath[] {
  const { $ref: reference, items } = schema
  const referred = reference === undefined ? undefined : defs[reference.replace('#/$defs/', '')]
  if (referred !== undefined) return optionalIn(referred, defs, at)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const ofFields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...at, name]
    const isOptional = schema.required?.includes(name) !== true
    return [...(isOptional ? [path] : []), ...optionalIn(field, defs, path)]
  })
  return [
    ...choices.flatMap((choice) => optionalIn(choice, defs, at)),
    ...(items === undefined ? [] : optionalIn(items, defs, [...at, '0'])),
    ...ofFields,
  ]
}

type Fields = Record<string, unknown>

/** A copy of a body in which one field is null, or absent. Objects around it are added. */
export function bodyWith(body: unknown, path: FieldPath, given: 'null' | 'absent'): unknown {
  const copy = structuredClone(body) as Fields
  let inside = copy
  for (const name of path.slice(0, -1)) inside = (inside[name] ??= {}) as Fields
  const last = path.at(-1) ?? ''
  if (given === 'null') inside[last] = null
  else delete inside[last]
  return copy
}
