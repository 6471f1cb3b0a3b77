import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Refusal } from '../../kernel/refusal.ts'

/** A result as text for models and for clients of before structured content, and as data. */
export function toolResult(text: string, data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data }
}

/** A fault that the model reads, and may do something about. */
export function toolFault(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** What a refusal says to a model. */
export function faultOf(refusal: Refusal): CallToolResult {
  const wait = refusal.retryAfterSeconds
  return toolFault(wait === undefined ? refusal.message : `${refusal.message} Try again in ${wait} s.`)
}
