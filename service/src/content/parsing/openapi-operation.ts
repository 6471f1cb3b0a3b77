import { codeSpan, escapeText } from './inline-markdown.ts'
import { listIn, recordIn, textIn, type Json } from './json-reading.ts'
import { markdownBlocks, serversOf } from './openapi-overview.ts'
import type { Description } from './openapi-references.ts'
import { describe, propertyRows, typeOf } from './openapi-schema.ts'
import type { Block } from './parsing-blocks.ts'

const MAX_EXAMPLES = 5
const MAX_EXAMPLE_LENGTH = 10_000
const CUT_EXAMPLES = `Of the examples of one body the first ${MAX_EXAMPLES} are read, and of each ${MAX_EXAMPLE_LENGTH.toLocaleString('en')} characters.`

export interface OperationPlace {
  method: string
  path: string
  isWebhook: boolean
}

/** Everything that a description says of one operation, including authorization and examples. */
export function operationBlocks(api: Description, operation: Json, place: OperationPlace): Block[] {
  const parameters = listIn(operation['parameters']).map((parameter) => api.resolve(parameter))
  const [server = ''] = place.isWebhook ? [] : serversOf(api)
  const request = `${place.method.toUpperCase()} ${server.replace(/\/$/, '')}${place.path}`
  return [
    { kind: 'code', language: 'http', code: request },
    ...(operation['deprecated'] === true ? [text('**Deprecated.**')] : []),
    ...markdownBlocks(textIn(operation['description']), api.url),
    ...securityBlocks(api, operation),
    ...parameterBlocks(api, parameters),
    ...bodyBlocks(api, operation, parameters),
    ...responseBlocks(api, recordIn(operation['responses'])),
  ]
}

function text(markdown: string): Block {
  return { kind: 'paragraph', markdown }
}

function heading(title: string, depth = 2): Block {
  return { kind: 'heading', depth, text: title, anchor: undefined }
}

function securityBlocks(api: Description, operation: Json): Block[] {
  const ways = listIn(operation['security'] ?? api.root['security']).map((way) =>
    Object.entries(recordIn(way)).map(([name, scopes]) => {
      const needed = listIn(scopes).map((scope) => codeSpan(String(scope)))
      return needed.length > 0 ? `${codeSpan(name)} (${needed.join(', ')})` : codeSpan(name)
    }),
  )
  const alternatives = ways.filter((way) => way.length > 0).map((way) => way.join(' and '))
  return alternatives.length === 0 ? [] : [text(`**Authorization:** ${alternatives.join(', or ')}`)]
}

function parameterBlocks(api: Description, parameters: readonly Json[]): Block[] {
  const rows = parameters
    .filter((parameter) => !['body', 'formData'].includes(textIn(parameter['in']) ?? ''))
    .map((parameter) => [
      codeSpan(textIn(parameter['name']) ?? ''),
      textIn(parameter['in']) ?? '',
      escapeText(typeOf(api, parameter['schema'] ?? parameter)),
      parameter['required'] === true ? 'yes' : 'no',
      describe(api, parameter),
    ])
  if (rows.length === 0) return []
  return [
    heading('Parameters'),
    { kind: 'table', header: ['Name', 'In', 'Type', 'Required', 'Description'], rows },
  ]
}

function bodyBlocks(api: Description, operation: Json, parameters: readonly Json[]): Block[] {
  const body = api.resolve(operation['requestBody'])
  const content = Object.entries(recordIn(body['content']))
  const description = markdownBlocks(textIn(body['description']), api.url)
  const contents = content.flatMap(([mediaType, media]) => mediaBlocks(api, mediaType, recordIn(media)))
  // Swagger 2 describes a body, or the fields of a form, as parameters.
  const whole = parameters.filter((parameter) => parameter['in'] === 'body')
  const wholes = whole.flatMap((each) => mediaBlocks(api, 'application/json', each))
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  const form = fields.map((field) => [
    codeSpan(textIn(field['name']) ?? ''),
    escapeText(typeOf(api, field)),
    field['required'] === true ? 'yes' : 'no',
    describe(api, field),
  ])
  const blocks = [...description, ...contents, ...wholes, ...propertyTable(form)]
  return blocks.length === 0 ? [] : [heading('Request body'), ...blocks]
}

function propertyTable(rows: string[][]): Block[] {
  return rows.length === 0
    ? []
    : [{ kind: 'table', header: ['Name', 'Type', 'Required', 'Description'], rows }]
}

function mediaBlocks(api: Description, mediaType: string, media: Json): Block[] {
  const type = media['schema'] === undefined ? '' : `: ${escapeText(typeOf(api, media['schema']))}`
  return [
    text(`${codeSpan(mediaType)}${type}`),
    ...propertyTable(propertyRows(api, media['schema'])),
    ...exampleBlocks(api, media),
  ]
}

function exampleBlocks(api: Description, media: Json): Block[] {
  const named = Object.entries(recordIn(media['examples'])).map(([name, example]) => {
    const { summary, value } = api.resolve(example)
    return { title: textIn(summary) ?? name, value }
  })
  const single = media['example'] ?? api.resolve(media['schema'])['example']
  const all = single === undefined ? named : [{ title: 'Example', value: single }, ...named]
  const examples = all.filter(({ value }) => value !== undefined)
  if (examples.length > MAX_EXAMPLES) api.tell(CUT_EXAMPLES)
  return examples.slice(0, MAX_EXAMPLES).flatMap(({ title, value }): Block[] => {
    const whole = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
    if (whole.length > MAX_EXAMPLE_LENGTH) api.tell(CUT_EXAMPLES)
    const code = whole.slice(0, MAX_EXAMPLE_LENGTH)
    return [
      text(`**${title}**`),
      { kind: 'code', language: typeof value === 'string' ? undefined : 'json', code },
    ]
  })
}

function responseBlocks(api: Description, responses: Json): Block[] {
  const resolved = Object.entries(responses).map(([status, value]) => ({
    status,
    response: api.resolve(value),
  }))
  if (resolved.length === 0) return []
  const rows = resolved.map(({ status, response }) => [
    codeSpan(status),
    describe(api, { ...response, schema: {} }),
  ])
  const details = resolved.flatMap(({ status, response }) => {
    const media = Object.entries(recordIn(response['content']))
    const content = media.flatMap(([mediaType, each]) => mediaBlocks(api, mediaType, recordIn(each)))
    const schema = response['schema'] === undefined ? [] : mediaBlocks(api, 'application/json', response)
    const inner = [...headerBlocks(api, recordIn(response['headers'])), ...content, ...schema]
    return inner.length === 0 ? [] : [heading(`Response ${status}`, 3), ...inner]
  })
  return [heading('Responses'), { kind: 'table', header: ['Status', 'Description'], rows }, ...details]
}

function headerBlocks(api: Description, headers: Json): Block[] {
  const rows = Object.entries(headers).map(([name, value]) => {
    const header = api.resolve(value)
    return [codeSpan(name), escapeText(typeOf(api, header['schema'] ?? header)), describe(api, header)]
  })
  return rows.length === 0 ? [] : [{ kind: 'table', header: ['Header', 'Type', 'Description'], rows }]
}
