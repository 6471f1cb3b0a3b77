import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '../../kernel/refusal.ts'
import { faultOf, toolFault } from './tool-result.ts'

/**
 * Runs a tool for as long as it may take, and as long as its caller waits. What goes wrong comes back as a result, which a model can
 * read; only a caller that has gone, and a fault of ours, are thrown.
 */
export async function withinTime(
  seconds: number,
  left: AbortSignal,
  run: (signal: AbortSignal) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const limit = AbortSignal.timeout(seconds * 1_000)
  const signal = AbortSignal.any([left, limit])
  try {
    return await run(signal)
  } catch (fault) {
    if (left.aborted) throw fault
    if (limit.aborted) {
      return toolFault(`This took longer than ${seconds} seconds and was ended. Ask for less, or try again.`)
    }
    if (fault instanceof Refusal) return faultOf(fault)
    throw fault
  }
}
