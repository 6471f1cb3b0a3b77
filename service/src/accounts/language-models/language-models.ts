import type { WorkspaceLlm, WorkspaceLlmChange } from '@citewell/contract/workspace-llm'
import { Refusal } from '../../kernel/refusal.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { placeOfKey, type LlmColumns } from './open-language-model.ts'

export { openLlm, type LlmColumns } from './open-language-model.ts'
export type { TriedModel } from './try-model.ts'
export { createWorkspaceModels, type ModelProblem, type WorkspaceModels } from './workspace-models.ts'

const NO_LLM: LlmColumns = {
  llm_base_url: null,
  llm_model: null,
  llm_sealed_api_key: null,
  llm_api_key_end: null,
}

/** How many characters of a key are shown. Of a short key none, because they would be a large part of it. */
const SHOWN_CHARACTERS = 4
const SHORT_KEY = 16

export function presentLlm(columns: LlmColumns): WorkspaceLlm | null {
  if (columns.llm_base_url === null || columns.llm_model === null) return null
  return {
    base_url: columns.llm_base_url,
    model: columns.llm_model,
    has_api_key: columns.llm_sealed_api_key !== null,
    api_key_end: columns.llm_api_key_end,
  }
}

function sealedKey(key: string, workspaceId: string, sealer: Sealer) {
  return {
    llm_sealed_api_key: sealer.seal(key, placeOfKey(workspaceId)),
    llm_api_key_end: key.length < SHORT_KEY ? null : key.slice(-SHOWN_CHARACTERS),
  }
}

const NO_KEY = { llm_sealed_api_key: null, llm_api_key_end: null }

/**
 * The columns after a change; null resets to the model of the instance.
 *
 * @throws Refusal BAD_REQUEST if the address or name of the model would be missing
 */
export function changedLlm(
  before: LlmColumns,
  change: WorkspaceLlmChange | null,
  { workspaceId, sealer }: { workspaceId: string; sealer: Sealer },
): LlmColumns {
  if (change === null) return NO_LLM
  const address = change.base_url ?? before.llm_base_url
  const model = change.model ?? before.llm_model
  if (address === null || model === null) {
    const path = address === null ? 'llm.base_url' : 'llm.model'
    throw new Refusal('BAD_REQUEST', {
      details: [{ path, message: 'is required when a model is first set' }],
    })
  }
  const kept = { llm_sealed_api_key: before.llm_sealed_api_key, llm_api_key_end: before.llm_api_key_end }
  // Whoever may change the address must not be able to send the stored key to a host of their own.
  const isElsewhere = URL.parse(before.llm_base_url ?? '')?.origin !== URL.parse(address)?.origin
  const key =
    change.api_key === undefined
      ? isElsewhere
        ? NO_KEY
        : kept
      : change.api_key === null
        ? NO_KEY
        : sealedKey(change.api_key, workspaceId, sealer)
  return { llm_base_url: address, llm_model: model, ...key }
}
