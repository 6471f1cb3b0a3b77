import { codeSpan, escapeText } from './inline-markdown.ts'
import { listIn, recordIn, textIn, type Json } from './json-reading.ts'
import { nameOfReference, type Description } from './openapi-references.ts'

/** Maximum depth of nested properties; below that only the type name is given. */
const MAX_DEPTH = 6
const MAX_ROWS = 500
const MAX_PARTS = 50
const MAX_VALUES = 200

const CUT_ROWS = `Of one schema the first ${MAX_ROWS} properties are read, nested ${MAX_DEPTH} deep at most.`
const CUT_PARTS = `Of one schema at most ${MAX_PARTS} parts (allOf, oneOf, anyOf) are read.`
const CUT_VALUES = `Of the allowed values of one property the first ${MAX_VALUES} are read.`

/** One row for each property: name (dotted if nested), type, whether it is required, description. */
export function propertyRows(api: Description, schema: unknown): string[][] {
  const rows: string[][] = []
  addRows(rows, api, { schema, prefix: '', depth: 0, seen: new Set() })
  if (rows.length > MAX_ROWS) api.tell(CUT_ROWS)
  return rows.slice(0, MAX_ROWS)
}

interface Place {
  schema: unknown
  prefix: string
  depth: number
  /** Enclosing schemas: a recursive schema is not expanded again. */
  seen: ReadonlySet<Json>
}

function addRows(rows: string[][], api: Description, { schema, prefix, depth, seen }: Place) {
  const resolved = itemsOf(api, schema)
  if (seen.has(resolved.schema)) return
  const { properties, required } = propertiesOf(api, resolved.schema, new Set())
  if (depth >= MAX_DEPTH || rows.length > MAX_ROWS) {
    if (properties.size > 0) api.tell(CUT_ROWS)
    return
  }
  const inner = { depth: depth + 1, seen: new Set([...seen, resolved.schema]) }
  for (const [name, value] of properties) {
    if (rows.length > MAX_ROWS) return
    const path = `${prefix}${resolved.isList && prefix !== '' ? '[].' : ''}${name}`
    rows.push([
      codeSpan(path),
      escapeText(typeOf(api, value)),
      required.has(name) ? 'yes' : 'no',
      describe(api, value),
    ])
    const isList = itemsOf(api, value).isList
    addRows(rows, api, { schema: value, prefix: isList ? path : `${path}.`, ...inner })
  }
}

/** The schema of a list's items, or the schema itself. */
function itemsOf(api: Description, schema: unknown): { schema: Json; isList: boolean } {
  const resolved = api.resolve(schema)
  return resolved['items'] === undefined
    ? { schema: resolved, isList: false }
    : { schema: api.resolve(resolved['items']), isList: true }
}

/** Own properties and those combined by `allOf`, `oneOf` and `anyOf`. */
function propertiesOf(api: Description, schema: Json, seen: Set<Json>) {
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  if (seen.has(schema)) return { properties, required }
  if (seen.size > MAX_PARTS) {
    api.tell(CUT_PARTS)
    return { properties, required }
  }
  seen.add(schema)
  for (const word of ['allOf', 'oneOf', 'anyOf']) {
    for (const part of listIn(schema[word])) {
      const inner = propertiesOf(api, api.resolve(part), seen)
      for (const [name, value] of inner.properties) properties.set(name, value)
      // What only one alternative requires is not required in general.
      if (word === 'allOf') for (const name of inner.required) required.add(name)
    }
  }
  for (const [name, value] of Object.entries(recordIn(schema['properties']))) properties.set(name, value)
  for (const name of listIn(schema['required'])) if (typeof name === 'string') required.add(name)
  return { properties, required }
}

/** @example typeOf(api, { type: 'array', items: { $ref: '#/components/schemas/Pet' } }) // 'array of Pet' */
export function typeOf(api: Description, schema: unknown, depth = 0): string {
  const name = nameOfReference(schema)
  const resolved = api.resolve(schema)
  if (depth > 3) return name ?? 'object'
  if (resolved['items'] !== undefined) return `array of ${typeOf(api, resolved['items'], depth + 1)}`
  if (name !== undefined) return name
  const choices = [...listIn(resolved['oneOf']), ...listIn(resolved['anyOf'])]
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeOf(api, choice, depth + 1)))].join(' or ')
  const [first] = listIn(resolved['allOf'])
  if (first !== undefined) return typeOf(api, first, depth + 1)
  const type = typeof resolved['type'] === 'string' ? resolved['type'] : listIn(resolved['type']).join(' or ')
  const format = textIn(resolved['format'])
  return `${type || 'any'}${format === undefined ? '' : ` (${format})`}`
}

/** Description of a property or parameter with its allowed values, default and limits, on one line. */
export function describe(api: Description, value: unknown): string {
  const own = recordIn(value)
  const resolved = api.resolve(value)
  const schema = api.resolve(resolved['schema'] ?? resolved)
  const text = textIn(
    own['description'] ?? resolved['description'] ?? schema['description'] ?? resolved['title'],
  )
  const allowed = listIn(schema['enum'] ?? api.resolve(schema['items'])['enum'])
  if (allowed.length > MAX_VALUES) api.tell(CUT_VALUES)
  return [
    resolved['deprecated'] === true ? 'Deprecated.' : '',
    asSentence(text),
    allowed.length > 0 ? `One of: ${allowed.slice(0, MAX_VALUES).map(codeOfValue).join(', ')}.` : '',
    schema['default'] === undefined ? '' : `Default: ${codeOfValue(schema['default'])}.`,
    ...LIMITS.flatMap(([word, says]) =>
      schema[word] === undefined ? [] : [`${says}: ${codeOfValue(schema[word])}.`],
    ),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Ends a description with a full stop, to separate it from what is added to it. */
function asSentence(text: string | undefined): string {
  const line = text?.replaceAll(/\s+/g, ' ').trim() ?? ''
  return line === '' || /[.!?:;)`]$/.test(line) ? line : `${line}.`
}

const LIMITS = [
  ['minimum', 'Minimum'],
  ['maximum', 'Maximum'],
  ['minLength', 'Minimum length'],
  ['maxLength', 'Maximum length'],
  ['maxItems', 'Most items'],
  ['pattern', 'Pattern'],
] as const

function codeOfValue(value: unknown): string {
  return codeSpan(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
