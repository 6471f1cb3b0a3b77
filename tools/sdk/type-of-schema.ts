/** A JSON Schema as zod writes it. */
export interface JsonSchema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  items?: JsonSchema | boolean
  prefixItems?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: JsonSchema | boolean
  description?: string
  $defs?: Readonly<Record<string, JsonSchema>>
}

const quoted = (value: unknown) =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
    : String(value)

/** A comment for people who read the types; nothing in it ends it. */
export const docOf = (description: string | undefined, indent: string): string =>
  description === undefined
    ? ''
    : `${indent}/** ${description.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' ')} */\n`

const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ')

function objectType(schema: JsonSchema, indent: string, nameOf: (ref: string) => string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties)
  if (names.length === 0) {
    if (typeof additionalProperties === 'object')
      return `Record<string, ${typeOfSchema(additionalProperties, indent, nameOf)}>`
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
  }
  const inner = `${indent}  `
  const fields = names.map((name) => {
    const field = properties[name] ?? {}
    const type = typeOfSchema(field, inner, nameOf)
    const key = /^[a-z_]\w*$/i.test(name) ? name : quoted(name)
    const isOptional = !required.includes(name)
    return `${docOf(field.description, inner)}${inner}${key}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}\n`
  })
  // Beside named fields, a value may be anything: TypeScript wants one type for all of them.
  if (typeof additionalProperties === 'object') fields.push(`${inner}[name: string]: unknown\n`)
  return `{\n${fields.join('')}${indent}}`
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * The TypeScript type of a JSON Schema.
 *
 * @param nameOf - the name of the type of a `$ref`
 */
export function typeOfSchema(schema: JsonSchema, indent: string, nameOf: (ref: string) => string): string {
  const typeOf = (one: JsonSchema) => typeOfSchema(one, indent, nameOf)
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map(typeOf))
  // Beside a type, the parts are patterns.
  if (schema.allOf !== undefined && schema.type === undefined) return schema.allOf.map(typeOf).join(' & ')
  if (schema.enum !== undefined) return union(schema.enum.map(quoted))
  if ('const' in schema) return quoted(schema.const)
  const { type } = schema
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one })))
  if (type === 'array') {
    const { items } = schema
    return `Array<${typeof items === 'object' ? typeOf(items) : 'unknown'}>`
  }
  if (type === 'object') return objectType(schema, indent, nameOf)
  if (schema.format === 'binary') return 'File'
  return PRIMITIVES[String(type)] ?? 'unknown'
}
