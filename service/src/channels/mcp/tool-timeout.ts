import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '../../kernel/refusal.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import { errorOfRefusal, toolError } from './tool-result.ts'

/**
 * Runs a tool with its timeout, and as long as its caller is connected. Refusals are returned as results, which a model can read; only the
 * disconnection of the caller and internal errors are thrown. On timeout the caller is answered immediately, even if the tool ignores its
 * signal.
 */
export async function withToolTimeout(
  seconds: number,
  left: AbortSignal,
  run: (signal: AbortSignal) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const limit = new AbortController()
  const late = Promise.withResolvers<CallToolResult>()
  const timer = setTimeout(() => {
    late.resolve(
      toolError(`This took longer than ${seconds} seconds and was stopped. Ask for less, or try again.`),
    )
    // A timeout, not a disconnection: a question without any answer text by then is refunded, because the service was too slow.
    limit.abort(new ModelFailure('timeout', `The tool did not finish within ${seconds} s.`))
  }, seconds * 1_000)
  try {
    return await Promise.race([run(AbortSignal.any([left, limit.signal])), late.promise])
  } catch (fault) {
    if (fault instanceof Refusal && !left.aborted) return errorOfRefusal(fault)
    throw fault
  } finally {
    clearTimeout(timer)
  }
}
