import { fromJsonSchema, type CallToolResult, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** One red pixel. */
export const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** An empty WAV file. */
const SILENCE_WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const NOTHING = z.object({})

const text = (words: string) => ({ type: 'text', text: words }) as const
const image = { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' } as const
const resource = (name: string) =>
  ({
    type: 'resource',
    resource: { uri: `test://${name}`, mimeType: 'text/plain', text: 'Embedded.' },
  }) as const

/** Each kind of content, by the names that the conformance suite calls. */
const CONTENT: Record<string, CallToolResult['content']> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [resource('embedded-resource')],
  test_multiple_content_types: [text('Several kinds:'), image, resource('mixed-content-resource')],
}

/** Keywords of JSON Schema that a library may lose. */
const WHOLE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

/** An argument that clients repeat in a header. */
const HEADER_SCHEMA = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as const

/** Tools that answer immediately, that report progress, and that fail. */
export function addContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    server.registerTool(name, { description: `Answers ${name}`, inputSchema: NOTHING }, () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Fails', inputSchema: NOTHING }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is', inputSchema: NOTHING },
    async (_input, { mcpReq: { _meta: meta, notify } }) => {
      const progressToken = meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        await notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      }
      return { content: [text('Done.')] }
    },
  )
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs', inputSchema: NOTHING }, async (_input, { mcpReq }) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', words)
      }
      return { content: [text('Done.')] }
    })
  }
  for (const [name, schema] of [
    ['json_schema_2020_12_tool', WHOLE_SCHEMA],
    ['test_header_argument', HEADER_SCHEMA],
  ] as const) {
    server.registerTool(
      name,
      { description: `Takes ${name}`, inputSchema: fromJsonSchema(schema) },
      (input) => ({ content: [text(JSON.stringify(input))] }),
    )
  }
}
