import { LIMITS } from '@citewell/contract/limits'
import type { QuestionSettingsRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Question, Voice } from './question.ts'

/** What a question needs of a knowledge base and its workspace: every surface reads it in one statement. */
export interface AskedBase extends QuestionSettingsRow {
  id: string
  name: string
  language: string | null
  persona: string | null
  tone: string | null
  standing_instructions: string | null
}

/** The style of a base, or of one of its widgets as far as that has settings of its own. */
export const voiceOf = (
  base: Pick<AskedBase, 'persona' | 'tone' | 'standing_instructions'>,
  own: Partial<Voice> = {},
): Voice => ({
  persona: own.persona ?? base.persona ?? undefined,
  tone: own.tone ?? base.tone ?? undefined,
  standingInstructions: own.standingInstructions ?? base.standing_instructions ?? undefined,
})

/** What a surface says of a question; the rest has defaults. */
export type NewQuestion = Pick<Question, 'query' | 'includeRestricted' | 'asker'> &
  Partial<Omit<Question, 'knowledgeBaseId' | 'knowledgeBaseName' | 'language' | 'settings'>>

/** A question to a base: in the whole base, in a new conversation and in the base's own style, unless the surface says otherwise. */
export const createQuestion = (base: AskedBase, asked: NewQuestion): Question => ({
  knowledgeBaseId: base.id,
  knowledgeBaseName: base.name,
  language: base.language ?? undefined,
  threadId: undefined,
  groupIds: undefined,
  topK: LIMITS.topK.default,
  voice: voiceOf(base),
  settings: base,
  ...asked,
})
