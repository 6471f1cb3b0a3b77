import type { Condition } from './readiness.ts'

/** A call to a model that failed: what kind of failure, for metrics, and what it was, for those who set the model up. */
export interface CallFailure {
  kind: string
  message: string
}

/** Since when calls have failed one after the other, and how the last of them did. */
export interface Trouble extends CallFailure {
  since: Date
}

export interface CallHealthDeps {
  now: () => Date
  /** Called once when it stops to answer, and once when it answers again. */
  onChange: (trouble: Trouble | undefined) => void
}

/** One failure happens to everybody, and two may be one hiccup. */
const FAILURES_IN_A_ROW = 3

export interface CallHealth {
  answered(): void
  failed(failure: CallFailure): void
  /** Undefined as long as it answers. */
  trouble(): Trouble | undefined
}

/** Follows whether something that is called answers: after three failures in a row it does not, after one success it does again. */
export function createCallHealth({ now, onChange }: CallHealthDeps): CallHealth {
  let failures = 0
  let last: Trouble | undefined
  const isInTrouble = () => failures >= FAILURES_IN_A_ROW

  return {
    answered: () => {
      const wasInTrouble = isInTrouble()
      failures = 0
      last = undefined
      if (wasInTrouble) onChange(undefined)
    },
    failed: (failure) => {
      failures += 1
      last = { ...failure, since: last?.since ?? now() }
      if (failures === FAILURES_IN_A_ROW) onChange(last)
    },
    trouble: () => (isInTrouble() ? last : undefined),
  }
}

/** As a part of `/readyz`: by kind and time only, because what a provider says may name hosts and keys. */
export function conditionOf(health: Pick<CallHealth, 'trouble'>, consequence: string): Condition {
  const trouble = health.trouble()
  if (trouble === undefined) return { is: 'up' }
  return {
    is: 'degraded',
    because: `it has not answered since ${trouble.since.toISOString()} (${trouble.kind}): ${consequence}`,
  }
}
