import { openLlm, type LlmColumns, type OpenedLlm } from './open-language-model.ts'
import { inPlainWords, TRY_TIME_LIMITS, tryModel, type TriedModel } from './try-model.ts'
import { createCallHealth, type CallHealth, type Trouble } from '../../platform/health/call-health.ts'
import { ModelFailure, type LanguageModel } from '../../platform/llm/language-model.ts'
import { keptReason } from '../../platform/llm/model-failures.ts'
import type { createOpenAiCompatibleModel, ModelFetch } from '../../platform/llm/openai-compatible-model.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'

export interface WorkspaceModelsDeps {
  /** The model of the instance, for workspaces without one of their own. */
  ownModel: LanguageModel | undefined
  sealer: Sealer
  createModel: typeof createOpenAiCompatibleModel
  /** The way out for addresses that a customer chose: no private ones. */
  fetch: ModelFetch
  /** What is known of the model of the instance. */
  ownHealth: Pick<CallHealth, 'trouble'>
  /** Called when a call to the model of a workspace has ended: without a failure if it answered. */
  onCall: (failure: ModelFailure | undefined) => void
  /** Called when the model of a workspace stops to answer, and when it answers again. */
  onChange: (workspaceId: string, trouble: Trouble | undefined) => void
  now: () => Date
}

/** Since when the model of a workspace has not answered, and why, for those who set it up. */
export type ModelProblem = Pick<Trouble, 'since' | 'message'>

/** What its provider says is for the operator alone. */
const TELL_OPERATOR = 'The model of this instance does not answer. Tell its operator.'

interface HeldModel {
  settings: string
  model: LanguageModel | undefined
  health: CallHealth
}

/** Workspaces whose models are held at once; one more lets go of the one that was asked least lately. */
const HELD = 200

const NO_MODEL: TriedModel = {
  model: undefined,
  firstMs: undefined,
  error: 'No model is set up: answers are sentences quoted from the pages.',
}

/** A model that cannot be asked, because its key does not open. */
function brokenModel(name: string, cause: unknown, onCall: (failure: ModelFailure) => void): LanguageModel {
  return {
    name,
    // oxlint-disable-next-line require-yield
    write: async function* () {
      const because = 'The key of the workspace could not be opened.'
      const failure = new ModelFailure('misconfigured', because, { cause })
      onCall(failure)
      throw failure
    },
  }
}

const settingsOf = (llm: LlmColumns) =>
  JSON.stringify([llm.llm_base_url, llm.llm_model, llm.llm_sealed_api_key])

/**
 * The model that answers for a workspace. One is held for as long as its settings stay the same, so that a provider that is down is
 * left alone between questions.
 */
export function createWorkspaceModels(deps: WorkspaceModelsDeps) {
  const { ownModel, sealer, createModel, fetch } = deps
  const held = new Map<string, HeldModel>()

  function open(workspaceId: string, llm: LlmColumns, settings: string): HeldModel {
    const health = createCallHealth({
      now: deps.now,
      onChange: (trouble) => deps.onChange(workspaceId, trouble),
    })
    const onCall = (failure: ModelFailure | undefined) => {
      deps.onCall(failure)
      if (failure === undefined) health.answered()
      else {
        const { code, cause } = failure
        const message = inPlainWords({ code, cause, message: keptReason(failure) })
        health.failed({ kind: code, message })
      }
    }
    try {
      const opened = openLlm(workspaceId, llm, sealer)
      const model = opened === undefined ? ownModel : createModel(opened, { fetch, onCall })
      return { settings, model, health }
    } catch (fault) {
      return { settings, model: brokenModel(llm.llm_model ?? '', fault, onCall), health }
    }
  }

  /** What is held for these settings; of others nothing is known. */
  function heldFor(workspaceId: string, llm: LlmColumns): HeldModel | undefined {
    const known = held.get(workspaceId)
    return known?.settings === settingsOf(llm) ? known : undefined
  }

  /** Asks the model of these settings one tiny question. Nothing of it is held. */
  async function tryOnce(workspaceId: string, llm: LlmColumns, signal: AbortSignal): Promise<TriedModel> {
    const given = { signal, now: () => performance.now() }
    if (llm.llm_base_url === null) {
      if (ownModel === undefined) return NO_MODEL
      const { error, ...tried } = await tryModel(ownModel, given)
      return { ...tried, error: error && TELL_OPERATOR }
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
    const tried = await tryModel(model, given)
    if (tried.error === undefined) heldFor(workspaceId, llm)?.health.answered()
    return tried
  }

  return {
    tryOnce,
    modelOf: (workspaceId: string, llm: LlmColumns): LanguageModel | undefined => {
      if (llm.llm_base_url === null) return ownModel
      const one = heldFor(workspaceId, llm) ?? open(workspaceId, llm, settingsOf(llm))
      held.delete(workspaceId)
      held.set(workspaceId, one)
      const [oldest] = held.keys()
      if (held.size > HELD && oldest !== undefined) held.delete(oldest)
      return one.model
    },
    /** Undefined as long as the model of the workspace answers, as far as this process knows. */
    problemOf: (workspaceId: string, llm: LlmColumns): ModelProblem | undefined => {
      if (llm.llm_base_url !== null) return heldFor(workspaceId, llm)?.health.trouble()
      const trouble = deps.ownHealth.trouble()
      return trouble && { since: trouble.since, message: TELL_OPERATOR }
    },
    /** Of how many workspaces the model does not answer. */
    countInTrouble: (): number =>
      [...held.values()].filter(({ health }) => health.trouble() !== undefined).length,
  }
}

export type WorkspaceModels = ReturnType<typeof createWorkspaceModels>
