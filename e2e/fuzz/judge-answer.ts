import { REFUSALS, type RefusalCode } from '@citewell/contract/refusals'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import type { FuzzRequest } from './make-request.ts'
import type { FuzzAnswer } from './send-request.ts'

/** Returns everything that is wrong with an answer; empty if nothing is. */
export type Judge = (request: FuzzRequest, answer: FuzzAnswer) => string[]

/** Status codes of the HTTP server itself, which any request can get. */
const SERVER_STATUSES = new Set([400, 404, 405, 408, 431])

/** Status codes of the HTTP parser, when it rejects the request: their code is BAD_REQUEST. */
const PARSER_STATUSES = new Set([408, 431])

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error code, in either of the two formats of a refusal. */
function codeOf(body: unknown): string | undefined {
  const { code, error } = body as { code?: string; error?: { code?: string } | string }
  return code ?? (typeof error === 'object' ? error.code : undefined)
}

/** A judge that knows only the OpenAPI document: its schemas are checked by a third-party validator. */
export function createJudge(document: ApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const compiled = new Map<string, ValidateFunction>()

  function faultsOf(name: string, schema: Schema, value: unknown): string[] {
    const known = compiled.get(name)
    const validate =
      known ??
      ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')) as object,
      )
    compiled.set(name, validate)
    if (validate(value)) return []
    const [fault] = validate.errors ?? []
    return [`${name}: ${fault?.instancePath} ${fault?.message}`]
  }

  function judgeRefusal(answer: FuzzAnswer, operation: Operation, isAtOperation: boolean): string[] {
    const body = parse(answer.text)
    const declared = operation.responses[answer.status]?.content?.['application/json']?.schema
    const isOwn = isAtOperation && declared !== undefined
    if (isAtOperation && !isOwn && !SERVER_STATUSES.has(answer.status))
      return [`status ${answer.status} is not declared`]
    const schema = isOwn ? declared : { $ref: '#/components/schemas/Error' }
    const faults = faultsOf(isOwn ? `${operation.operationId} ${answer.status}` : 'any refusal', schema, body)
    if (faults.length > 0) return [...faults, answer.text.slice(0, 200)]
    const code = codeOf(body)
    const statusOfCode = REFUSALS[code as RefusalCode]?.status
    const isTrue = statusOfCode === answer.status || PARSER_STATUSES.has(answer.status)
    const codes = operation.responses[answer.status]?.['x-codes']
    const isListed = !isOwn || codes === undefined || codes.includes(code ?? '')
    return [
      ...(isTrue ? [] : [`code ${code} with status ${answer.status}`]),
      ...(isListed ? [] : [`code ${code} is not declared for ${answer.status}`]),
    ]
  }

  function judgeStream(answer: FuzzAnswer, name: string, schema: Schema): string[] {
    const events = answer.text.split('\n\n')
    const rest = events.pop()
    if (!answer.isCut && rest !== '') return [`${name}: the stream does not end with a blank line`]
    return events.flatMap((event) => {
      if (event.startsWith(':')) return []
      if (!event.startsWith('data: ')) return [`${name}: not a data line: ${event.slice(0, 80)}`]
      if (event === 'data: [DONE]') return []
      return faultsOf(name, schema, parse(event.slice('data: '.length)))
    })
  }

  function judgeSuccess({ operation, isAtOperation, method }: FuzzRequest, answer: FuzzAnswer): string[] {
    if (!isAtOperation || method === 'HEAD' || answer.status === 101) return []
    const name = `${operation.operationId} ${answer.status}`
    const response = operation.responses[answer.status]
    if (response === undefined) return [`status ${answer.status} is not declared`]
    if (answer.status === 204) return answer.text === '' ? [] : [`${name} has a body`]
    const type = answer.headers['content-type']?.split(';', 1)[0] ?? ''
    const media = Object.entries(response.content ?? {}).find(
      ([declared]) => declared.split(';', 1)[0] === type,
    )
    if (media === undefined) return [`${name}: content type ${type} is not declared`]
    const schema = media[1].schema ?? {}
    if (type === 'text/event-stream') return judgeStream(answer, `${name} frames`, schema)
    return type === 'application/json' ? faultsOf(name, schema, parse(answer.text)) : []
  }

  return (request, answer) => {
    if (answer.status >= 500) return [`status ${answer.status}: ${answer.text.slice(0, 200)}`]
    const faults: string[] = []
    if (answer.headers['x-request-id'] === undefined && answer.status !== 101) faults.push('no X-Request-Id')
    if (answer.status >= 400 && request.method !== 'HEAD') {
      faults.push(...judgeRefusal(answer, request.operation, request.isAtOperation))
    } else if (answer.status < 400) faults.push(...judgeSuccess(request, answer))
    return faults
  }
}
