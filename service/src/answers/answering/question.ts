import type { SurfaceName } from '@citewell/contract/surfaces'
import type { QuestionSettingsRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'

/** The style of answers of a knowledge base, or of one of its widgets. Written by its owner. */
export interface Voice {
  persona: string | undefined
  tone: string | undefined
  standingInstructions: string | undefined
}

/** A question as a surface passes it on: validated, with the scope that its asker may see. */
export interface Question {
  knowledgeBaseId: string
  knowledgeBaseName: string
  /** Of the base; undefined if it is not set. */
  language: string | undefined
  /** The header Accept-Language of who asks: for the words of the service itself, if the question does not show its language. */
  acceptLanguage?: string | undefined
  /** 1 to 4,000 characters. */
  query: string
  /** The conversation that this question continues. */
  threadId: string | undefined
  /** Earlier turns as sent by the client, oldest first, if the client keeps the conversation itself. */
  earlier?: readonly EarlierTurn[]
  /** Only sources of these groups; undefined for all of them. */
  groupIds: string[] | undefined
  /** Only these sources, within those groups; undefined for all of them. */
  sourceIds?: string[] | undefined
  /** Documents that must not answer: those that were made from the question itself. */
  withoutDocuments?: readonly string[]
  /** Whether restricted documents are searched too: never on a public surface. */
  includeRestricted: boolean
  /** Passages to retrieve, 1 to 100. */
  topK: number
  voice: Voice
  /** Whether the person who asks may still do so, asked again while the answer is written. Undefined: the base and the key alone decide. */
  isStillAllowed?: (() => Promise<boolean>) | undefined
  asker: { surface: SurfaceName; clientKeyId: string | undefined; userRef: string | undefined }
  /**
   * Of the base and its workspace, read in the statement that opened the base for this question, so that a change takes effect
   * immediately.
   */
  settings: QuestionSettingsRow
}

/** A question and its answer from earlier in the conversation, oldest first in lists. */
export interface EarlierTurn {
  query: string
  answer: string
  citedTitles: string[]
  /** Documents whose text may occur in the answer; none if the client sent the turn. */
  drewOn?: readonly string[]
}
