import type { ReplayMessage } from '@citewell/contract/traces'
import { Refusal } from '../../kernel/refusal.ts'
import type { Question, Voice } from '../answering/answering.ts'

/** What is tried in place of the settings with which a question would be asked. */
export type TriedSettings = ReplayMessage

/** Undefined keeps a setting, null and empty texts try without it. */
const tried = (given: string | null | undefined, kept: string | undefined) =>
  given === undefined ? kept : given === null || given === '' ? undefined : given

const triedVoice = (given: TriedSettings, kept: Voice): Voice => ({
  persona: tried(given.persona, kept.persona),
  tone: tried(given.tone, kept.tone),
  standingInstructions: tried(given.standing_instructions, kept.standingInstructions),
})

/**
 * A question with what is tried.
 *
 * @param findGroups those of the ids that are source groups of the base
 * @throws Refusal GROUP_NOT_ALLOWED for an id that is no source group of the base
 */
export async function withTried(
  question: Question,
  given: TriedSettings,
  findGroups: (knowledgeBaseId: string, groupIds: readonly string[]) => Promise<Set<string>>,
): Promise<Question> {
  const groupIds = given.group_ids && [...new Set(given.group_ids.map((id) => id.toLowerCase()))]
  if (groupIds !== undefined) {
    const known = await findGroups(question.knowledgeBaseId, groupIds)
    if (!groupIds.every((id) => known.has(id))) throw new Refusal('GROUP_NOT_ALLOWED')
  }
  return {
    ...question,
    ...(groupIds !== undefined && {
      groupIds: groupIds.length === 0 ? undefined : groupIds,
      sourceIds: undefined,
    }),
    topK: given.top_k ?? question.topK,
    voice: triedVoice(given, question.voice),
  }
}
