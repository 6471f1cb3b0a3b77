import {
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  specTypeSchemas,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'

/** Of the requests with params that are answered here; the SDK itself checks those of `tools/call`. */
const SCHEMAS = new Map<string, (typeof specTypeSchemas)['InitializeRequest' | 'ListToolsRequest']>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
])

/** What is wrong with a request; undefined for what is valid, and for what is no request. */
function faultOf(message: JSONRPCMessage): string | undefined {
  if (!('method' in message && 'id' in message)) return undefined
  // A revision without sessions, which has no `initialize` at all: each of its requests names it.
  const { _meta: meta } = message.params ?? {}
  if (meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined
  const schema = SCHEMAS.get(message.method)
  const issues = schema?.['~standard'].validate(message).issues
  if (issues === undefined) return undefined
  const told = issues.map(({ path = [], message: fault }) => {
    const names = path.map((part) => String(typeof part === 'object' ? part.key : part))
    return `${names.join('.')}: ${fault}`
  })
  return `Invalid params: ${told.join('; ')}`
}

/** A server that refuses params which the protocol does not allow as such (-32602): for the SDK they are an internal error (-32603). */
export class CheckedMcpServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport)
    const handle = transport.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
    transport.onmessage = (message, extra) => {
      const fault = faultOf(message)
      if (fault === undefined || !('id' in message) || message.id === undefined)
        return handle?.(message, extra)
      const error = { code: ProtocolErrorCode.InvalidParams, message: fault }
      const answer = { jsonrpc: '2.0' as const, id: message.id, error }
      transport.send(answer).catch((failure: unknown) => transport.onerror?.(failure as Error))
    }
  }
}
