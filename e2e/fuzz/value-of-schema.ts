import type { Schema } from './api-document.ts'
import type { Random } from './random.ts'

type Components = Readonly<Record<string, Schema>>

/** Texts in many scripts, each of which a reader could type. */
const WORDS = [
  'rotate',
  'key',
  'Schlüssel',
  '鍵を回す',
  'مفتاح',
  'emoji 🔑',
  'a-b_c',
  'v2.1',
  'How do I?',
  "O'Hara",
]

const FORMATS: Record<string, (random: Random) => string> = {
  uuid: () => '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  'date-time': (random) => new Date(1_700_000_000_000 + random.int(1_000_000_000) * 100).toISOString(),
  date: (random) => `2026-0${1 + random.int(9)}-1${random.int(9)}`,
  // A port without a listener: outgoing requests end immediately.
  uri: (random) => `http://127.0.0.1:9/${random.int(100)}`,
  email: (random) => `reader${random.int(50)}@example.com`,
}

export const resolveSchema = (schema: Schema, components: Components): Schema =>
  schema.$ref === undefined
    ? schema
    : resolveSchema(components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, components)

function textOf(schema: Schema, random: Random): string {
  const made = FORMATS[schema.format ?? '']?.(random)
  if (made !== undefined) return made
  const least = schema.minLength ?? 0
  let text = random.pick(WORDS)
  while (text.length < least * 2) text += ` ${random.pick(WORDS)}`
  // Code points, as JSON Schema counts them.
  return Array.from(text)
    .slice(0, Math.max(least, Math.min(schema.maxLength ?? 200, 200)))
    .join('')
}

function numberOf({ type, minimum = 0, maximum = minimum + 1_000 }: Schema, random: Random): number {
  const made = minimum + random.int(Math.min(maximum - minimum, 1_000_000) + 1)
  return type === 'number' && random.chance(0.2) ? Math.min(maximum, made + 0.5) : made
}

function objectOf(schema: Schema, components: Components, random: Random, depth: number): object {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => schema.required?.includes(name) === true || random.chance(depth > 4 ? 0.05 : 0.4),
  )
  const made = names.map((name) => [
    name,
    valueOfSchema(schema.properties?.[name] ?? {}, components, random, depth + 1),
  ])
  return Object.fromEntries(made) as object
}

/** A random value that fits a schema: half of the time its own example, if it has one. */
export function valueOfSchema(given: Schema, components: Components, random: Random, depth = 0): unknown {
  const schema = resolveSchema(given, components)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (
    schema.examples !== undefined &&
    schema.examples.length > 0 &&
    (schema.pattern !== undefined || random.chance(0.4))
  ) {
    return structuredClone(random.pick(schema.examples))
  }
  const members = schema.oneOf ?? schema.anyOf
  if (members !== undefined) return valueOfSchema(random.pick(members), components, random, depth)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  if (type === undefined) return objectOf(schema, components, random, depth)
  switch (type) {
    case 'string':
      return textOf(schema, random)
    case 'integer':
    case 'number':
      return numberOf({ ...schema, type }, random)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array': {
      const length = (schema.minItems ?? 0) + random.int(3)
      return Array.from({ length: Math.min(length, schema.maxItems ?? length) }, () =>
        valueOfSchema(schema.items ?? {}, components, random, depth + 1),
      )
    }
    default:
      return objectOf(schema, components, random, depth)
  }
}
