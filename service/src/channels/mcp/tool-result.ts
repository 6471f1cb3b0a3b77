import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Refusal } from '../../kernel/refusal.ts'

/** A result as text, for models and for clients without structured content, and as data. */
export function toolResult(text: string, data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data }
}

/** An error that the model reads, and may correct. */
export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** A refusal as an error for the model. */
export function errorOfRefusal(refusal: Refusal): CallToolResult {
  const wait = refusal.retryAfterSeconds
  return toolError(wait === undefined ? refusal.message : `${refusal.message} Try again in ${wait} s.`)
}
