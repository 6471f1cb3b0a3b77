import type { Evaluation } from '@citewell/sdk/management'

/** Milliseconds between two looks at a run. */
export const FOLLOW_MS = 1_000

export const isGoing = ({ status }: Pick<Evaluation, 'status'>): boolean =>
  status === 'queued' || status === 'running'

interface Part {
  count: number
  of: number
}

/** Such as `92 %`; nothing to measure is a dash. */
export const share = ({ count, of }: Part): string => (of === 0 ? '–' : `${Math.round((count / of) * 100)} %`)

export const NAMES = [
  ['hit1', 'Found first'],
  ['hit5', 'Found in the first 5'],
  ['cited', 'Cited'],
  ['covered', 'Answered'],
  ['refused_rightly', 'Correctly refused'],
] as const satisfies readonly (readonly [keyof Evaluation['figures'], string])[]

/** How a figure compares with that of another run, in points. */
export function points(now: Part, then: Part | undefined): string | undefined {
  if (then === undefined || then.of === 0 || now.of === 0) return undefined
  const more = Math.round((now.count / now.of - then.count / then.of) * 100)
  return more === 0 ? 'as before' : `${more > 0 ? '↑ +' : '↓ −'}${Math.abs(more)} points`
}
