import type { SealedPlace, Sealer } from '../../platform/secrets/sealed.ts'

/** The columns of a workspace with its language model; all null for the model of the instance. */
export interface LlmColumns {
  llm_base_url: string | null
  llm_model: string | null
  llm_sealed_api_key: string | null
  llm_api_key_end: string | null
}

/** A model with its decrypted key, for a call. */
export interface OpenedLlm {
  baseUrl: string
  model: string
  apiKey: string | undefined
}

/** What the stored key is sealed for. */
export const placeOfKey = (workspaceId: string): SealedPlace => ({
  table: 'workspaces',
  row: workspaceId,
  column: 'llm_sealed_api_key',
})

/**
 * The model of a workspace with its decrypted key; undefined if it uses the model of the instance.
 *
 * @throws SealError for a key that was moved to another row, changed, or sealed with another master key
 */
export function openLlm(workspaceId: string, columns: LlmColumns, sealer: Sealer): OpenedLlm | undefined {
  const { llm_base_url: baseUrl, llm_model: model, llm_sealed_api_key: sealed } = columns
  if (baseUrl === null || model === null) return undefined
  const apiKey = sealed === null ? undefined : sealer.open(sealed, placeOfKey(workspaceId))
  return { baseUrl, model, apiKey }
}
