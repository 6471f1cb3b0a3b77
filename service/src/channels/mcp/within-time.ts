import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '../../kernel/refusal.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import { faultOf, toolFault } from './tool-result.ts'

/**
 * Runs a tool for as long as it may take, and as long as its caller waits. What goes wrong comes back as a result, which a model can
 * read; only a caller that has gone, and a fault of ours, are thrown. When its time is up the caller is answered at once, also where
 * the tool does not look at its signal.
 */
export async function withinTime(
  seconds: number,
  left: AbortSignal,
  run: (signal: AbortSignal) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const limit = new AbortController()
  const late = Promise.withResolvers<CallToolResult>()
  const timer = setTimeout(() => {
    late.resolve(
      toolFault(`This took longer than ${seconds} seconds and was ended. Ask for less, or try again.`),
    )
    // A question that got no word of its answer in this time is given back: nobody left, it was too slow for us.
    limit.abort(new ModelFailure('timeout', `A tool was not done within ${seconds} s.`))
  }, seconds * 1_000)
  try {
    return await Promise.race([run(AbortSignal.any([left, limit.signal])), late.promise])
  } catch (fault) {
    if (fault instanceof Refusal && !left.aborted) return faultOf(fault)
    throw fault
  } finally {
    clearTimeout(timer)
  }
}
