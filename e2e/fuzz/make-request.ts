import type { ApiDocument, Operation } from './api-document.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { fillIds } from './known-ids.ts'
import { mutateBody, uploadBody, type SentBody } from './mutate-body.ts'
import { junkHeaders, junkPathPart, junkQuery } from './mutate-address.ts'
import { mutateValue } from './mutate-value.ts'
import type { Random } from './random.ts'
import { valueOfSchema } from './value-of-schema.ts'

/** A request, ready to be sent. */
export interface FuzzRequest {
  operation: Operation
  method: string
  /** Path and query as sent on the wire. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** The mutation that was applied, for the report. */
  did: string
  /** Path and method are those of the operation, so that the answer must be one of its documented answers. */
  isAtOperation: boolean
}

/** Operations that end or change records which others need: they get records created by the fuzzer. */
const ENDS = /\/(archive|restore)$/
const KEEPS_USABLE = new Set([
  'PATCH /api/v1/knowledge-bases/{id}',
  'PATCH /api/v1/client-keys/{id}',
  'PATCH /api/v1/widgets/{id}',
])

/** Fields that would make every later question fail, which would not be an error. */
const LEFT_OUT = ['llm', 'plan', 'zero_data_retention', 'monthly_question_allowance', 'pii_masking']

const UNKNOWN_ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c1f'

function idFor(noun: string, { method, path }: Operation, world: FuzzWorld, random: Random): string {
  const isEnding = method === 'DELETE' || ENDS.test(path) || KEEPS_USABLE.has(`${method} ${path}`)
  const id = isEnding ? world.ids.toEnd(noun, random) : world.ids.toUse(noun, random)
  return id ?? UNKNOWN_ID
}

function pathOf(operation: Operation, world: FuzzWorld, random: Random, isJunk: boolean): string {
  const parts = operation.path.split('/')
  return parts
    .map((part, index) => {
      if (!part.startsWith('{')) return part
      if (isJunk) return junkPathPart(random)
      if (part === '{external_id}') return random.pick(['keys', 'limits', 'none'])
      return idFor(parts[index - 1] ?? '', operation, world, random)
    })
    .join('/')
}

function credentialsOf(operation: Operation, world: FuzzWorld, random: Random): Record<string, string> {
  const kinds = Object.keys(
    random.chance(0.9) ? (operation.security[0] ?? {}) : (operation.security.at(-1) ?? {}),
  )
  if (kinds.includes('accessToken')) return { authorization: `Bearer ${world.accessToken}` }
  if (kinds.includes('clientKeyAsBearer')) return { authorization: `Bearer ${world.clientKey}` }
  if (kinds.includes('clientKey')) return { 'x-client-key': world.clientKey }
  if (kinds.length === 0) return {}
  return { 'x-client-id': world.pair.clientId, 'x-client-secret': world.pair.clientSecret }
}

function queryOf({ parameters = [] }: Operation, document: ApiDocument, random: Random): string {
  const sent = parameters.filter(
    ({ in: place, required }) => place === 'query' && (required || random.chance(0.3)),
  )
  const pairs = sent.map(({ name, schema }) => {
    const value = valueOfSchema(schema, document.components.schemas, random)
    return `${name}=${encodeURIComponent(String(value))}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function bodyOf(
  operation: Operation,
  document: ApiDocument,
  world: FuzzWorld,
  random: Random,
): SentBody | undefined {
  const [media] = Object.entries(operation.requestBody?.content ?? {})
  if (media === undefined) return undefined
  const [contentType, { schema = {} }] = media
  if (contentType === 'multipart/form-data') return uploadBody(random)
  let value = valueOfSchema(schema, document.components.schemas, random)
  if (typeof value === 'object' && value !== null) {
    for (const name of LEFT_OUT) Reflect.deleteProperty(value, name)
    if ('model' in value) value.model = world.knowledgeBaseId
    fillIds(value, world.ids, random)
  }
  let did = 'valid'
  if (random.chance(0.45)) ({ value, did } = mutateValue(value, random))
  else if (random.chance(0.3)) return mutateBody(value, random)
  return { bytes: Buffer.from(JSON.stringify(value) ?? ''), contentType: 'application/json', did }
}

/** A request for an operation: valid by its schema, and then, more often than not, mutated in one place. */
export function makeRequest(
  operation: Operation,
  document: ApiDocument,
  world: FuzzWorld,
  random: Random,
): FuzzRequest {
  const isJunkPath = random.chance(0.08) && operation.path.includes('{')
  const isJunkQuery = random.chance(0.12)
  const isJunkHeader = random.chance(0.15)
  const isOtherMethod = random.chance(0.03)
  const sent = bodyOf(operation, document, world, random)
  const junk = isJunkHeader ? junkHeaders(random) : {}
  const method = isOtherMethod
    ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'BREW'])
    : operation.method
  const query = isJunkQuery ? junkQuery(random) : queryOf(operation, document, random)
  const did = [
    sent?.did ?? 'no-body',
    isJunkPath && 'path',
    isJunkQuery && 'query',
    isJunkHeader && `headers(${Object.keys(junk).join(',')})`,
    isOtherMethod && method,
  ]
  return {
    operation,
    method,
    target: pathOf(operation, world, random, isJunkPath) + query,
    headers: {
      ...credentialsOf(operation, world, random),
      ...(sent?.contentType !== undefined && { 'content-type': sent.contentType }),
      ...junk,
    },
    body: method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : sent?.bytes,
    did: did.filter((one) => one !== false).join(' '),
    isAtOperation: !isJunkPath && method === operation.method,
  }
}
