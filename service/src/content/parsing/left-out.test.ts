import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { itemInput } from './item-body.ts'
import { parseApiDescription, parseDocument } from './parse-document.ts'

const leftOutOf = async (mediaType: string, text: string) =>
  (await parseDocument({ mediaType, bytes: Buffer.from(text), url: 'https://docs.example.com/a' })).document
    .leftOut

/** By page. */
async function leftOutOfApi(description: object): Promise<Record<string, string[] | undefined>> {
  const api = { openapi: '3.1.0', info: { title: 'Pets' }, ...description }
  const pages = await parseApiDescription({
    mediaType: 'application/json',
    bytes: Buffer.from(JSON.stringify(api)),
    url: 'https://docs.example.com/api.json',
  })
  return Object.fromEntries(pages.map(({ name, document }) => [name, document.leftOut]))
}

const posting = (media: object) => ({
  paths: {
    '/small': { get: { description: 'Nothing is left out.' } },
    '/pets': { post: { requestBody: { content: { 'application/json': media } } } },
  },
})
const many = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))
const properties = (count: number) => Object.fromEntries(many(count, (at) => [`p${at}`, { type: 'string' }]))
const deep = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { properties: { a: deep(levels - 1) } }

const CUT_SCHEMA = 'Of one schema the first 500 properties are read, nested 6 deep at most.'
const CUT_EXAMPLES = 'Of the examples of one body the first 5 are read, and of each 10,000 characters.'

test.each<[string, object, string | undefined]>([
  ['500 properties', { schema: { properties: properties(500) } }, undefined],
  ['501 properties', { schema: { properties: properties(501) } }, CUT_SCHEMA],
  ['six levels', { schema: deep(6) }, undefined],
  ['seven levels', { schema: deep(7) }, CUT_SCHEMA],
  [
    'a schema within itself',
    {
      schema: { $ref: '#/paths/~1pets/post/requestBody/content/application~1json/x' },
      x: { properties: { a: { $ref: '#/paths/~1pets/post/requestBody/content/application~1json/x' } } },
    },
    undefined,
  ],
  [
    '60 parts',
    { schema: { oneOf: many(60, (at) => ({ properties: { [`p${at}`]: {} } })) } },
    'Of one schema at most 50 parts (allOf, oneOf, anyOf) are read.',
  ],
  [
    '201 values',
    { schema: { properties: { a: { enum: many(201, (at) => at) } } } },
    'Of the allowed values of one property the first 200 are read.',
  ],
  ['six examples', { examples: Object.fromEntries(many(6, (at) => [at, { value: at }])) }, CUT_EXAMPLES],
  ['a long example', { example: 'x'.repeat(10_001) }, CUT_EXAMPLES],
  [
    'another file',
    { schema: { properties: { a: { $ref: 'pets.yaml#/Pet' } } } },
    'References to other files are not followed: what they lead to is left out.',
  ],
])(
  'an operation with %s tells what limits left out of it, and no other page does',
  async (_, media, told) => {
    expect(await leftOutOfApi(posting(media))).toEqual({
      overview: undefined,
      'GET /small': undefined,
      'POST /pets': told === undefined ? undefined : [told],
    })
  },
)

test('operations that are in other files are told on the page about all', async () => {
  expect(await leftOutOfApi({ paths: { '/a': { $ref: './a.yaml' }, '/b': { get: {} } } })).toEqual({
    overview: ['References to other files are not followed: what they lead to is left out.'],
    'GET /b': undefined,
  })
})

verifies('documents.left-out', 'lists that are nested too deep are told', async () => {
  const staircase = (levels: number) => many(levels, (at) => `${'  '.repeat(at)}* level ${at}\n\n`).join('')
  expect(await leftOutOf('text/x-rst', staircase(30))).toBeUndefined()
  expect(await leftOutOf('text/x-rst', staircase(100))).toEqual([
    'What is nested more than 60 lists and directives deep is left out.',
  ])
  let quotes: object = { type: 'text', text: 'bottom' }
  for (let at = 0; at < 200; at += 1) quotes = { type: 'blockquote', content: [quotes] }
  const input = itemInput('Deep', [{ adf: { type: 'doc', content: [quotes] } }], 'https://docs.example.com/a')
  expect((await parseDocument(input)).document.leftOut).toEqual([
    'Of one text the first 100,000 parts are read, nested 100 deep at most.',
  ])
})

test('of the output of a notebook a table is cut after 50 rows, and that is told', async () => {
  const notebook = (rows: number) =>
    JSON.stringify({
      cells: [
        {
          cell_type: 'code',
          source: 'frame',
          outputs: [
            {
              data: {
                'text/html': `<table><tr><th>a</th><th>b</th></tr>${'<tr><td>1</td><td>2</td></tr>'.repeat(rows)}</table>`,
              },
            },
          ],
        },
      ],
    })
  expect(await leftOutOf('application/x-ipynb+json', notebook(50))).toBeUndefined()
  expect(await leftOutOf('application/x-ipynb+json', notebook(51))).toHaveLength(1)
})
