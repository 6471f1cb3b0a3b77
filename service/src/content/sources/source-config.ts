import { SOURCE_CONFIGS, type SourceType } from '@citewell/contract/source-configs'
import { Refusal } from '../../kernel/refusal.ts'

/**
 * The config of a source with changes merged in, key by key, checked as its type has it. Throws BAD_REQUEST with each fault.
 */
export function mergedConfig(
  source: { type: string; config: Record<string, unknown> },
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const schema = SOURCE_CONFIGS[source.type as SourceType]
  const parsed = schema.safeParse({ ...source.config, ...changes })
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map((issue) => ({
    path: ['config', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Refusal('BAD_REQUEST', { details })
}
