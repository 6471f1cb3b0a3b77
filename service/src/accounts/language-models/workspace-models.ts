import { openLlm, type LlmColumns, type OpenedLlm } from './open-language-model.ts'
import { TRY_TIME_LIMITS, tryModel, type TriedModel } from './try-model.ts'
import { ModelFailure, type LanguageModel } from '../../platform/llm/language-model.ts'
import type { createOpenAiCompatibleModel, ModelFetch } from '../../platform/llm/openai-compatible-model.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'

export interface WorkspaceModelsDeps {
  /** The model of the instance, for workspaces without one of their own. */
  ownModel: LanguageModel | undefined
  sealer: Sealer
  createModel: typeof createOpenAiCompatibleModel
  /** The way out for addresses that a customer chose: no private ones. */
  fetch: ModelFetch
}

/** Workspaces whose models are held at once; one more lets go of the one that was asked least lately. */
const HELD = 200

const NO_MODEL: TriedModel = {
  model: undefined,
  firstMs: undefined,
  error: 'No model is set up: answers are sentences quoted from the pages.',
}

/** A model that cannot be asked, because its key does not open. */
function brokenModel(name: string, cause: unknown): LanguageModel {
  return {
    name,
    // oxlint-disable-next-line require-yield
    write: async function* () {
      throw new ModelFailure('misconfigured', 'The key of the workspace could not be opened.', { cause })
    },
  }
}

/**
 * The model that answers for a workspace. One is held for as long as its settings stay the same, so that a provider that is down is
 * left alone between questions.
 */
export function createWorkspaceModels({ ownModel, sealer, createModel, fetch }: WorkspaceModelsDeps) {
  const held = new Map<string, { settings: string; model: LanguageModel | undefined }>()

  function open(workspaceId: string, llm: LlmColumns): LanguageModel | undefined {
    try {
      const opened = openLlm(workspaceId, llm, sealer)
      return opened === undefined ? ownModel : createModel(opened, { fetch })
    } catch (fault) {
      return brokenModel(llm.llm_model ?? '', fault)
    }
  }

  /** Asks the model of these settings one tiny question. Nothing of it is held. */
  async function tryOnce(workspaceId: string, llm: LlmColumns, signal: AbortSignal): Promise<TriedModel> {
    const given = { apiKey: undefined, signal, now: () => performance.now() }
    if (llm.llm_base_url === null) {
      if (ownModel === undefined) return NO_MODEL
      const { error, ...tried } = await tryModel(ownModel, given)
      // What its provider says is for the operator alone.
      return { ...tried, error: error && 'The model of this instance does not answer. Tell its operator.' }
    }
    let opened: OpenedLlm | undefined
    try {
      opened = openLlm(workspaceId, llm, sealer)
    } catch {
      const error = 'The stored key cannot be opened any more. Enter it again.'
      return { model: llm.llm_model ?? undefined, firstMs: undefined, error }
    }
    if (opened === undefined) return NO_MODEL
    const model = createModel(opened, { fetch, limits: TRY_TIME_LIMITS })
    return await tryModel(model, { ...given, apiKey: opened.apiKey })
  }

  return {
    tryOnce,
    modelOf: (workspaceId: string, llm: LlmColumns): LanguageModel | undefined => {
      if (llm.llm_base_url === null) return ownModel
      const settings = JSON.stringify([llm.llm_base_url, llm.llm_model, llm.llm_sealed_api_key])
      const known = held.get(workspaceId)
      const model = known?.settings === settings ? known.model : open(workspaceId, llm)
      held.delete(workspaceId)
      held.set(workspaceId, { settings, model })
      const [oldest] = held.keys()
      if (held.size > HELD && oldest !== undefined) held.delete(oldest)
      return model
    },
  }
}

export type WorkspaceModels = ReturnType<typeof createWorkspaceModels>
