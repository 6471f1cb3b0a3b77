import { join } from 'node:path'
import type { PartPlan } from '../sets/set-plan.ts'
import { SET_PLANS } from '../sets/set-plans.ts'
import type { Task } from './measured.ts'

/** The first part of a set: its pages and questions. */
export function partOf({ set, evaluationData }: Pick<Task, 'set' | 'evaluationData'>): PartPlan {
  const [part] = SET_PLANS.find(({ name }) => name === set)?.parts(join(evaluationData, set)) ?? []
  if (part === undefined) throw new Error(`There is no set ${set}.`)
  return part
}
