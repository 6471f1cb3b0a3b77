import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { McpReader } from '../mcp-reader.ts'

/** What happens during a call that the tool wants to know of, or tell. */
export interface ToolCall {
  reader: McpReader
  /** Ends when the caller has gone, or the tool has had its time. */
  signal: AbortSignal
  /** Tells a caller who asked for it how far the tool is. */
  progress: (message: string) => void
}

/** One tool, as the protocol lists it, and what it does. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  /** More than one where it also answers to an older name. */
  names: (reader: McpReader) => string[]
  title: string
  /** For a model: what it is good for, and when to use it. */
  description: (reader: McpReader) => string
  input: Input
  output: z.ZodType
  annotations: ToolAnnotations
  timeoutSeconds: number
  /** What it counts as; undefined where it is not limited by itself. */
  countsAs: 'chat' | 'search' | 'giveFeedback'
  isOffered: (reader: McpReader) => boolean
  run: (input: z.output<Input>, call: ToolCall) => Promise<CallToolResult>
}

/** A tool that only reads, and reads what this service holds. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false, idempotentHint: true }

/** Keeps the types of one tool together, and forgets them for the list. */
export const defineTool = <Input extends z.ZodType>(tool: Tool<Input>): Tool => tool
