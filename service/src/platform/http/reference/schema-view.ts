import { html } from 'hono/html'
import { isDeepStrictEqual } from 'node:util'
import { resolve } from '../openapi/examples.ts'
import type { JsonSchema } from '../openapi/json-schemas.ts'
import { describeBounds, describeType } from './describe-field.ts'
import { inline, prose, type Markup } from './prose.ts'

export type Components = Readonly<Record<string, JsonSchema>>

export interface FieldsGiven {
  components: Components
  /** Refer to named schemas, or expand them. A request's body is expanded, records are referred to. */
  refersToNamed: boolean
  /** Show nested fields without a click, if there is nothing else to see. */
  opensInner?: boolean
}

/** The nested schema with fields: that of the items, for an array. */
function innerOf(schema: JsonSchema, given: FieldsGiven): JsonSchema | undefined {
  if (schema.$ref !== undefined)
    return given.refersToNamed ? undefined : innerOf(resolve(schema, given.components), given)
  if (schema.items !== undefined) return innerOf(schema.items, given)
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0 ? schema : undefined
}

/** The type of a field. If named schemas are expanded, their names are not links. */
function typeOf(schema: JsonSchema, given: FieldsGiven): Markup {
  if (given.refersToNamed) return describeType(schema)
  if (schema.$ref !== undefined) return html`object`
  return describeType(schema.items?.$ref === undefined ? schema : { ...schema, items: { type: 'object' } })
}

/** The marker beside the name of a field. */
export type Marker = 'required' | 'optional' | undefined

/** Requests mark required fields, responses optional ones. */
const markerOf = (name: string, schema: JsonSchema, { refersToNamed }: FieldsGiven): Marker => {
  const isRequired = schema.required?.includes(name) === true
  if (refersToNamed) return isRequired ? undefined : 'optional'
  return isRequired ? 'required' : undefined
}

export function fieldView(name: string, schema: JsonSchema, marker: Marker, given: FieldsGiven): Markup {
  const inner = innerOf(schema, given)
  const { description } = given.refersToNamed ? schema : resolve(schema, given.components)
  const bounds = describeBounds(schema)
  return html`<div class="field">
    <dt>
      <code class="field-name">${name}</code> <span class="type">${typeOf(schema, given)}</span>
      ${marker === undefined ? '' : html`<span class="marker ${marker}">${marker}</span>`}
    </dt>
    <dd>
      ${description === undefined ? '' : html`<span>${inline(description)}</span>`}
      ${bounds.length === 0 ? '' : html`<span class="bounds">${bounds.join(', ')}</span>`}
      ${
        inner === undefined
          ? ''
          : html`<details class="inner" ${given.opensInner === true ? 'open' : ''}>
              <summary>Fields of <code>${name}</code></summary>
              ${objectView(inner, { ...given, opensInner: false })}
            </details>`
      }
    </dd>
  </div>`
}

function objectView(schema: JsonSchema, given: FieldsGiven): Markup {
  return html`<dl class="fields">
    ${Object.entries(schema.properties ?? {}).map(([name, property]) =>
      fieldView(name, property, markerOf(name, schema, given), given),
    )}
  </dl>`
}

const constOf = (schema: JsonSchema, components: Components): string | undefined => {
  const consts = Object.values(resolve(schema, components).properties ?? {}).map((property) => property.const)
  return consts.find((value) => typeof value === 'string')
}

/** Union members that differ in a field with a fixed value: shared fields are shown once, then the fields of each member. */
function unionView(members: readonly JsonSchema[], given: FieldsGiven): Markup {
  const objects = members.map((member) => resolve(member, given.components))
  const [first, ...others] = objects
  const shared = Object.entries(first?.properties ?? {}).filter(([name, property]) =>
    others.every((other) => isDeepStrictEqual(other.properties?.[name], property)),
  )
  const sharedNames = new Set(shared.map(([name]) => name))
  return html`<div class="variants">
      ${objects.map((object, index) => {
        const own = Object.entries(object.properties ?? {}).filter(
          ([name, property]) => !sharedNames.has(name) && property.const === undefined,
        )
        return html`<details class="variant" ${index === 0 ? 'open' : ''}>
          <summary><code>"type": "${constOf(object, given.components) ?? ''}"</code></summary>
          <dl class="fields">
            ${own.map(([name, property]) => fieldView(name, property, markerOf(name, object, given), { ...given, opensInner: true }))}
          </dl>
        </details>`
      })}
    </div>
    <p class="between">And for every type:</p>
    <dl class="fields">
      ${shared.map(([name, property]) => fieldView(name, property, markerOf(name, first ?? {}, given), given))}
    </dl>`
}

/** The full view of a schema: its description, then its fields. */
export function schemaView(reference: JsonSchema, given: FieldsGiven): Markup {
  const schema = resolve(reference, given.components)
  const members = schema.oneOf ?? schema.anyOf
  if (members !== undefined && !given.refersToNamed)
    return html`${prose(schema.description)}${unionView(members, given)}`
  if (members !== undefined) {
    return html`<ul class="members">
      ${members.map((member) => html`<li>${describeType(member)}: ${inline(resolve(member, given.components).description ?? '')}</li>`)}
    </ul>`
  }
  if (Object.keys(schema.properties ?? {}).length === 0)
    return html`<p>${inline(schema.description ?? 'No fields.')}</p>`
  return html`${prose(schema.description)}${objectView(schema, given)}`
}
