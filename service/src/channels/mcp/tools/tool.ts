import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { AnyReader, McpReader, PortalReader } from '../mcp-reader.ts'

/** The context of a tool call. */
export interface ToolCall<Reader extends AnyReader = McpReader> {
  reader: Reader
  /** Aborted when the caller disconnects or the timeout is reached. */
  signal: AbortSignal
  /** Sends progress to a caller who asked for it. */
  progress: (message: string) => void
}

/** One tool: its description in the protocol, and its implementation for one kind of reader. */
export interface Tool<Input extends z.ZodType = z.ZodType, Reader extends AnyReader = McpReader> {
  /** More than one if it also has an older name. */
  names: (reader: Reader) => string[]
  title: string
  /** For a model: what it is good for, and when to use it. */
  description: (reader: Reader) => string
  input: Input
  output: z.ZodType
  annotations: ToolAnnotations
  timeoutSeconds: number
  /** The limit that a call counts against. */
  countsAs: 'chat' | 'search' | 'giveFeedback'
  isOffered: (reader: Reader) => boolean
  run: (input: z.output<Input>, call: ToolCall<Reader>) => Promise<CallToolResult>
}

/** A tool of a caller who reads several bases. */
export type PortalTool = Tool<z.ZodType, PortalReader>

/** A read-only tool that reads only data of this service. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false, idempotentHint: true }

/**
 * A tool that answers from data of this service. It changes nothing that its caller can see: documentation, settings and other answers stay
 * unchanged. But each call counts against the monthly quota, is stored as a separate conversation, and may be worded differently each time.
 * So it is not idempotent: clients should not repeat it without a reason.
 */
export const ASKS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Infers the types of one tool, and erases them for the list. */
export const defineTool = <Input extends z.ZodType>(tool: Tool<Input>): Tool => tool

/** The same for a tool of the portal. */
export const definePortalTool = <Input extends z.ZodType>(tool: Tool<Input, PortalReader>): PortalTool => tool

/** The tools whose ids narrow what a portal tool reads. */
export const LISTING_TOOLS = { bases: 'list_knowledge_bases', parts: 'list_sources' }
