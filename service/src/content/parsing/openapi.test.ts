import { expect, test } from 'vitest'
import { parseOpenApi } from './openapi.ts'
import { renderBlocks } from './render-markdown.ts'

function read(description: string) {
  return parseOpenApi({
    mediaType: '',
    bytes: new TextEncoder().encode(description),
    url: 'https://api.example.com/openapi.yaml',
  })
}

const PETS = `
openapi: 3.1.0
info: { title: Pet store, description: "Keeps **pets**." }
servers: [{ url: https://api.example.com/v1/ }]
security: [{ key: [] }]
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer }, description: The pet }]
    get:
      summary: Get a pet
      operationId: getPet
      responses:
        '200': { description: Found, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' }, example: { id: 1 } } } }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '204': { description: Saved } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  responses: { Missing: { description: No such pet } }
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string, enum: [Rex, Tom], default: Rex }
        parent: { $ref: '#/components/schemas/Pet' }
        tags: { type: array, items: { type: object, properties: { label: { type: [string, 'null'] } } } }
`

test('every operation becomes a page, after an overview page', () => {
  expect(read(PETS).map(({ name, anchor, document }) => [name, anchor, document.title])).toEqual([
    ['overview', 'overview', 'Pet store'],
    ['GET /pets/{id}', 'getPet', 'Get a pet'],
    ['PUT /pets/{id}', 'put-pets-id', 'PUT /pets/{id}'],
  ])
})

test('the page of an operation lists its parameters, body, responses and examples', () => {
  const [overview, get, put] = read(PETS).map(({ document }) => renderBlocks(document.blocks))
  expect(overview).toContain('Keeps **pets**.')
  expect(overview).toContain('| `key` | apiKey | header X-Key |  |')
  expect(get).toContain('```http\nGET https://api.example.com/v1/pets/{id}\n```\n\n**Authorization:** `key`')
  expect(get).toContain('| `id` | path | integer | yes | The pet. |')
  expect(get).toContain('| `200` | Found. |\n| `404` | No such pet. |')
  expect(get).toContain('```json\n{\n  "id": 1\n}\n```')
  expect(put).toContain('## Request body\n\n`application/json`: Pet')
  expect(put).toContain('| `name` | string | yes | One of: `Rex`, `Tom`. Default: `Rex`. |')
  expect(put).toContain('| `tags[].label` | string or null | no |  |')
})

test('a recursive schema is expanded once', () => {
  const put = read(PETS).at(-1)
  const rows = put?.document.blocks
    .filter((block) => block.kind === 'table')
    .flatMap((table) => table.rows.map(([name]) => name))
  expect(rows).toContain('`parent`')
  expect(rows).not.toContain('`parent.parent`')
})

test('bodies and forms that Swagger 2 describes as parameters are read', () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Old' },
    host: 'h.example',
    basePath: '/b',
    schemes: ['http'],
    paths: {
      '/a': {
        post: {
          parameters: [
            { in: 'body', name: 'body', schema: { type: 'object', properties: { x: { type: 'number' } } } },
            { in: 'formData', name: 'file', type: 'file' },
          ],
          responses: {},
        },
      },
    },
  }
  const [, post] = read(JSON.stringify(swagger))
  const markdown = renderBlocks(post?.document.blocks ?? [])
  expect(markdown).toContain('POST http://h.example/b/a')
  expect(markdown).toContain('| `x` | number | no |  |')
  expect(markdown).toContain('| `file` | file | no |  |')
})

test('a file that is not an API description is refused with a readable message; references to other files are not followed', () => {
  expect(() => read('a: 1')).toThrow('not an API description')
  expect(() => read('openapi: 3.0.0\n  bad: [')).toThrow('broken YAML')
  expect(() => read('openapi: 3.0.0\npaths: {}')).toThrow('no operations')
  const outside = `openapi: 3.0.0\npaths: { /a: { get: { parameters: [{ $ref: 'file:///etc/passwd#/x' }, { $ref: '#/loop' }] } } }\nloop: { $ref: '#/loop' }`
  expect(read(outside)).toHaveLength(2)
})
