import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { AnyReader, McpReader, PortalReader } from '../mcp-reader.ts'

/** What happens during a call that the tool wants to know of, or tell. */
export interface ToolCall<Reader extends AnyReader = McpReader> {
  reader: Reader
  /** Ends when the caller has gone, or the tool has had its time. */
  signal: AbortSignal
  /** Tells a caller who asked for it how far the tool is. */
  progress: (message: string) => void
}

/** One tool, as the protocol lists it, and what it does for one kind of reader. */
export interface Tool<Input extends z.ZodType = z.ZodType, Reader extends AnyReader = McpReader> {
  /** More than one where it also answers to an older name. */
  names: (reader: Reader) => string[]
  title: string
  /** For a model: what it is good for, and when to use it. */
  description: (reader: Reader) => string
  input: Input
  output: z.ZodType
  annotations: ToolAnnotations
  timeoutSeconds: number
  /** Whose limit a call of it uses up. */
  countsAs: 'chat' | 'search' | 'giveFeedback'
  isOffered: (reader: Reader) => boolean
  run: (input: z.output<Input>, call: ToolCall<Reader>) => Promise<CallToolResult>
}

/** A tool of somebody who reads several bases. */
export type PortalTool = Tool<z.ZodType, PortalReader>

/** A tool that only reads, and reads what this service holds. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false, idempotentHint: true }

/**
 * A tool that answers from what this service holds. It changes nothing that its caller can see: documentation, settings and other
 * answers stay as they are. But each call counts against the monthly allowance, is kept as a conversation of its own, and may be
 * worded otherwise than the last, so it is not idempotent: nobody should repeat it without a reason.
 */
export const ASKS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Keeps the types of one tool together, and forgets them for the list. */
export const defineTool = <Input extends z.ZodType>(tool: Tool<Input>): Tool => tool

/** The same for a tool of the portal. */
export const definePortalTool = <Input extends z.ZodType>(tool: Tool<Input, PortalReader>): PortalTool => tool
