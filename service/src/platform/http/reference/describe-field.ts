import { html } from 'hono/html'
import { nameOfRef, type JsonSchema } from '../openapi/json-schemas.ts'
import type { Markup } from './prose.ts'

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'date and time',
  uri: 'address',
  binary: 'file',
}

const literal = (value: unknown): Markup => html`<code>${JSON.stringify(value)}</code>`

const joined = (parts: readonly Markup[], word: string): Markup =>
  html`${parts.map((part, index) => html`${index === 0 ? '' : word}${part}`)}`

/** The type of a value in words: `array of UUID`, `"public" or "restricted"`, `string or null`. */
export function describeType(schema: JsonSchema): Markup {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return joined(schema.enum.map(literal), ' or ')
  const members = schema.anyOf ?? schema.oneOf
  if (members !== undefined) return joined(members.map(describeType), ' or ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any value']
  return joined(
    types.map((type) => {
      if (type === 'array') return html`array of ${describeType(schema.items ?? {})}`
      return html`${(type === 'string' && schema.format !== undefined && FORMATS[schema.format]) || type}`
    }),
    ' or ',
  )
}

const number = (value: number) => value.toLocaleString('en')

function range(least: number | undefined, most: number | undefined, noun: string): string | undefined {
  const unit = noun === '' ? '' : ` ${noun}`
  if (most !== undefined && least !== undefined && least > 0)
    return `${number(least)} to ${number(most)}${unit}`
  if (most !== undefined) return `at most ${number(most)}${unit}`
  return least !== undefined && least > 0 ? `at least ${number(least)}${unit}` : undefined
}

/** The limits and the default of a value. */
export function describeBounds(schema: JsonSchema): string[] {
  const { default: standard } = schema
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minimum, schema.maximum, ''),
    standard === undefined ? undefined : `default ${JSON.stringify(standard)}`,
  ].filter((words) => words !== undefined)
}
