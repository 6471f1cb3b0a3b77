/** The part of JSON Schema that the fuzzer reads. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Media {
  schema?: Schema
}

export interface DocumentedOperation {
  operationId: string
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media>; 'x-codes'?: string[] }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** One operation with its path and method. */
export interface Operation extends DocumentedOperation {
  method: string
  path: string
}

/** `GET /openapi.json`, parsed. */
export async function readApiDocument(address: string): Promise<ApiDocument> {
  const response = await fetch(new URL('/openapi.json', address))
  return (await response.json()) as ApiDocument
}

export const operationsOf = (document: ApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )
