import { oneLine } from '../kernel/one-line.ts'
import { redactAddresses } from '../kernel/redact-addresses.ts'
import { createCallHealth, type CallFailure, type Trouble } from '../platform/health/call-health.ts'
import type { Metrics } from '../platform/health/metrics.ts'
import type { ModelFailure } from '../platform/llm/language-model.ts'
import { keptReason } from '../platform/llm/model-failures.ts'
import type { Log } from '../platform/log/log.ts'

/** A provider may answer with a whole page. */
const MAX_REASON_LENGTH = 300

export interface FollowModelsDeps {
  log: Log
  metrics: Pick<Metrics, 'counter'>
  now: () => Date
}

/** Counts how the calls to models end, follows whether those of the operator answer, and logs a line when that changes. */
export function followModels({ log, metrics, now }: FollowModelsDeps) {
  const count = metrics.counter(
    'model_calls_total',
    'Calls to models, by whose model it is and how the call ended. A model that is left alone for a moment counts as unavailable.',
    ['model', 'outcome'],
  )
  const logChange = (what: string, trouble: Trouble | undefined, of: Record<string, string> = {}) => {
    if (trouble === undefined) log.info(of, `${what} answers again`)
    else log.warn({ ...of, kind: trouble.kind, reason: trouble.message }, `${what} does not answer`)
  }

  function follow(label: string, what: string) {
    const health = createCallHealth({ now, onChange: (trouble) => logChange(what, trouble) })
    const onCall = (failure: CallFailure | undefined) => {
      count({ model: label, outcome: failure?.kind ?? 'answered' })
      if (failure === undefined) return health.answered()
      const message = oneLine(redactAddresses(failure.message), MAX_REASON_LENGTH)
      health.failed({ ...failure, message })
    }
    return { health, onCall }
  }

  const instance = follow('instance', 'the language model')
  return {
    logChange,
    ofEmbedding: follow('embedding', 'the embedding model'),
    ofInstance: {
      health: instance.health,
      onCall: (failure: ModelFailure | undefined) =>
        instance.onCall(failure && { kind: failure.code, message: keptReason(failure) }),
    },
    countOfWorkspaces: (failure: ModelFailure | undefined) =>
      count({ model: 'workspace', outcome: failure?.code ?? 'answered' }),
  }
}
