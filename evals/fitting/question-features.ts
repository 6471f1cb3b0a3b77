import { join } from 'node:path'
import { openSigns, type Signs } from '../../service/test/open-signs.ts'
import type { ProgressBar } from '../run/progress-bar.ts'
import type { Question } from '../sets/read-set.ts'
import { SET_PLANS } from '../sets/set-plans.ts'

/** A question of a set, with its features for search and the gate. */
export interface QuestionFeatures {
  question: Question
  signs: Signs
}

/** A follow-up cannot be understood on its own: if the set has a rewritten form, that is used. */
function textOf({ fields, text }: Question): string {
  const rewritten = fields['rewrite']
  return typeof rewritten === 'string' && rewritten !== '' ? rewritten : text
}

/** Asks every question of a set that `npm run eval` has loaded: of its first part, or of all if each has a base of its own. */
export async function collectFeatures(
  set: string,
  folders: { evaluationData: string; keptData: string },
  bar: ProgressBar,
): Promise<Map<string, QuestionFeatures[]>> {
  const parts = SET_PLANS.find(({ name }) => name === set)?.parts(join(folders.evaluationData, set)) ?? []
  const [first] = parts
  if (first === undefined) throw new Error(`There is no set ${set}.`)
  const hasBases = new Set(parts.map(({ base }) => base.name)).size === parts.length
  await using service = await openSigns(join(folders.keptData, set, 'data'))
  const byPart = new Map<string, QuestionFeatures[]>()
  for (const part of hasBases ? parts : [first]) {
    const seen: QuestionFeatures[] = []
    for (const question of part.questions) {
      seen.push({ question, signs: await service.signsOf(part.base.name, textOf(question)) })
      bar.show(`${part.name}: looking`, seen.length, part.questions.length)
    }
    byPart.set(part.name, seen)
  }
  return byPart
}
