import { validate } from '@readme/openapi-parser'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { refusalsOf } from '@citewell/contract/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { exampleOf } from './examples.ts'
import { createJsonSchemas } from './json-schemas.ts'
import { createOpenApiDocument } from './openapi-document.ts'

const endpoints = ALL_ENDPOINTS
const document = createOpenApiDocument({ endpoints, publicUrl: 'https://citewell.example', version: '1.2.3' })

test('the document is valid OpenAPI 3.1 according to a third-party validator', async () => {
  const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0])

  expect(result).toMatchObject({ valid: true })
})

test('the document has every endpoint with all its possible refusals', () => {
  const listed = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  expect(listed.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted())
  for (const endpoint of endpoints) {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    const codes = Object.values(operation?.responses ?? {}).flatMap((response) => response['x-codes'] ?? [])
    expect(codes.toSorted()).toEqual(refusalsOf(endpoint).toSorted())
  }
})

test('every $ref resolves to a schema', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  )

  expect(names.length).toBeGreaterThan(100)
  expect(JSON.stringify(document)).not.toContain('#/$defs/')
  expect(names.filter((name) => document.components.schemas[name] === undefined)).toEqual([])
})

test('the example of every JSON body is valid for its endpoint', () => {
  const { components, schemaOf } = createJsonSchemas()
  const taken = endpoints.filter(({ body, bodyIs }) => body !== undefined && bodyIs !== 'files')

  expect(taken.length).toBeGreaterThan(15)
  for (const { body, operationId } of taken) {
    const example = exampleOf(schemaOf(body ?? z.never(), 'input'), components, true)
    expect({ operationId, error: body?.safeParse(example).error }).toEqual({ operationId, error: undefined })
  }
})

test('the example of every response matches its schema', () => {
  const { components, schemaOf } = createJsonSchemas()
  const answered = endpoints.flatMap(({ answer, operationId }) =>
    'body' in answer ? [{ schema: answer.body, operationId }] : [],
  )

  expect(answered.length).toBeGreaterThan(30)
  for (const { schema, operationId } of answered) {
    const example = exampleOf(schemaOf(schema, 'output'), components, false)
    expect({ operationId, error: schema.safeParse(example).error }).toEqual({ operationId, error: undefined })
  }
})

test('an input schema lists fields with defaults as optional, and a fallback for invalid values is not a default', () => {
  const { components } = document

  expect(components.schemas['ChatBody']).toMatchObject({
    required: ['query'],
    properties: {
      query: { maxLength: 4_000 },
      top_k: { default: 15, type: ['number', 'null'] },
      group_ids: { type: ['array', 'null'] },
    },
  })
  expect(components.schemas['ChatBody']?.properties?.['group_ids']).not.toHaveProperty('default')
  expect(components.schemas['NewKnowledgeBase']).toMatchObject({
    required: ['name'],
    additionalProperties: false,
  })
  expect(components.schemas['KnowledgeBase']).not.toHaveProperty('additionalProperties')
})

test('two different schemas with the same name are an error', () => {
  const { schemaOf } = createJsonSchemas()
  const first = z.object({ a: z.string() }).meta({ id: 'Clash' })
  schemaOf(first, 'output')
  // The registry would refuse the second name itself. All else in it belongs to other tests of this process, too.
  z.globalRegistry.remove(first)
  const second = z.object({ b: z.string() }).meta({ id: 'Clash' })

  expect(() => schemaOf(second, 'output')).toThrow('Two schemas are named Clash')
  z.globalRegistry.remove(second)
})
