import { nameOfRef, type JsonSchema } from './json-schemas.ts'

type Components = Readonly<Record<string, JsonSchema>>

const OF_TYPE: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true, null: null }

const OF_FORMAT: Record<string, unknown> = {
  uuid: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  'date-time': '2026-03-09T14:05:12.345Z',
  date: '2026-03-09',
  uri: 'https://docs.example.com/',
}

/** The schema itself, or the one that it refers to, merged with the description at the reference. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref, ...own } = schema
  return $ref === undefined ? own : { ...components[nameOfRef($ref)], ...own }
}

function exampleOfObject(
  schema: JsonSchema,
  components: Components,
  isRequest: boolean,
): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => !isRequest || schema.required?.includes(name) === true)
    .map(([name, property]) => [name, exampleOf(property, components, isRequest)])
  return Object.fromEntries(entries) as Record<string, unknown>
}

/**
 * A value that matches a schema: its own example if it has one, otherwise one composed of its parts. A request has only its required
 * fields, a response all of them.
 */
export function exampleOf(given: JsonSchema, components: Components, isRequest: boolean): unknown {
  const schema = resolve(given, components)
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  const member = (schema.oneOf ?? schema.anyOf)?.[0]
  if (member !== undefined) return exampleOf(member, components, isRequest)
  if (schema.properties !== undefined) return exampleOfObject(schema, components, isRequest)
  if (schema.items !== undefined) return [exampleOf(schema.items, components, isRequest)]
  if (schema.type === 'object') return {}
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  return OF_FORMAT[schema.format ?? ''] ?? OF_TYPE[type ?? 'string'] ?? null
}

/** Every frame that a stream's schema gives as an example, or a generated one. */
export function exampleFrames(given: JsonSchema, components: Components): unknown[] {
  return resolve(given, components).examples ?? [exampleOf(given, components, false)]
}
