import { parse as parseYaml } from 'yaml'
import { parseJson } from '../../kernel/json.ts'
import { decodeText } from './charset.ts'
import { textLengthOf } from './document-text.ts'
import { listIn, recordIn, textIn, type Json } from './json-reading.ts'
import { leftOutOf } from './left-out.ts'
import { overviewBlocks } from './openapi-overview.ts'
import { operationBlocks } from './openapi-operation.ts'
import { createDescription, type Description } from './openapi-references.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, OperationPage, ParseInput } from './parsing-blocks.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace', 'query']
const MAX_OPERATIONS = 10_000

/**
 * Reads an API description (OpenAPI 3 or Swagger 2, JSON or YAML): an overview page, then one for each operation.
 * References to other files are not followed.
 * @throws ParseFailure
 */
export function parseOpenApi(input: ParseInput): OperationPage[] {
  const api = createDescription(readRoot(input), input.url)
  const operations = operationsOf(api)
  if (operations.length === 0) throw new ParseFailure('The API description has no operations (no "paths").')
  if (operations.length > MAX_OPERATIONS)
    throw new ParseFailure(`The API description has more than ${MAX_OPERATIONS} operations.`)
  return [pageOf(api, 'overview', 'overview', api.title, overviewBlocks(api)), ...operations]
}

function readRoot(input: ParseInput): Json {
  const text = decodeText(input.bytes, { charset: input.charset, mayDeclare: false })
  const root = recordIn(/^\s*\{/.test(text) ? parseJson(text) : readYaml(text))
  if (textIn(root['openapi']) === undefined && textIn(root['swagger']) === undefined)
    throw new ParseFailure(
      'The file is not an API description: it has neither "openapi" nor "swagger" at its top level.',
    )
  return root
}

function readYaml(text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 100, logLevel: 'error' })
  } catch (error) {
    throw new ParseFailure('The API description is invalid: broken YAML.', { cause: error })
  }
}

function operationsOf(api: Description): OperationPage[] {
  const pages: OperationPage[] = []
  const anchors = new Set<string>()
  /** About paths as a whole, which have no page of their own: the overview tells of it. */
  const ofPaths = new Set<string>()
  const groups = [
    { paths: recordIn(api.root['paths']), isWebhook: false },
    { paths: recordIn(api.root['webhooks']), isWebhook: true },
  ]
  for (const { paths, isWebhook } of groups) {
    for (const [path, value] of Object.entries(paths)) {
      const item = api.resolve(value)
      for (const limit of api.takeTold()) ofPaths.add(limit)
      for (const method of METHODS) {
        if (item[method] === undefined) continue
        const operation = recordIn(item[method])
        const name = `${isWebhook ? 'WEBHOOK ' : ''}${method.toUpperCase()} ${path}`
        const parameters = [...listIn(item['parameters']), ...listIn(operation['parameters'])]
        const blocks = operationBlocks(api, { ...operation, parameters }, { method, path, isWebhook })
        const title = textIn(operation['summary'])?.trim() || textIn(operation['operationId']) || name
        pages.push(
          pageOf(api, name, uniqueAnchor(anchors, textIn(operation['operationId']) ?? name), title, blocks),
        )
      }
    }
  }
  for (const limit of ofPaths) api.tell(limit)
  return pages
}

/** @param blocks made just before: what limits left out of them is told with this page */
function pageOf(
  api: Description,
  name: string,
  anchor: string,
  title: string,
  blocks: Block[],
): OperationPage {
  const document = { title, language: undefined, blocks, ...leftOutOf(api.takeTold()) }
  return { name, anchor, document, textLength: textLengthOf(blocks) }
}

/** @example uniqueAnchor(new Set(), 'GET /pets/{id}') // 'get-pets-id' */
function uniqueAnchor(taken: Set<string>, name: string): string {
  const plain = /^[\w.-]+$/.test(name)
    ? name
    : name
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-|-$/g, '')
  let anchor = plain
  for (let count = 2; taken.has(anchor); count += 1) anchor = `${plain}-${count}`
  taken.add(anchor)
  return anchor
}
